import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../architecture/sources.ts';

/** The end of tests: `broken` when they could not run, as where a file has an error outside its tests. */
export type Ending = 'passed' | 'failed' | 'broken' | 'late';

/** Ms after which the tests of a mutant are taken for hanging: several times what the slowest take. */
const longest = 180_000;

/** Tests as they ended, and the files of those that did not pass. */
interface Outcome {
  readonly ending: Ending;
  readonly files: readonly string[];
}

/** The parts of the report of vitest that are read. */
interface Report {
  readonly numFailedTests?: number;
  readonly testResults?: readonly { readonly name: string; readonly status: string }[];
}

/** A copy of the repository in which modules are changed while nobody looks. */
export class TrialCopy {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'hostdeck-mutants-'));
  /** Whether files of tests pass without a mutant, by their names. */
  readonly #pass = new Map<string, Promise<boolean>>();

  constructor() {
    const left = new Set(['node_modules', '.git', 'archives'].map((name) => path.join(root, name)));
    cpSync(root, this.#folder, { recursive: true, filter: (file) => !left.has(file) });
    symlinkSync(path.join(root, 'node_modules'), path.join(this.#folder, 'node_modules'));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * Resolves with how tests, run in this order, end while a module has another text; undefined when those
   * that fail do so without it, too.
   */
  async try(module: string, text: string, tests: readonly string[]): Promise<Ending | undefined> {
    const file = path.join(this.#folder, module);
    const original = readFileSync(file);
    writeFileSync(file, text);
    let outcome: Outcome;
    try {
      outcome = await this.#run(tests);
    } finally {
      writeFileSync(file, original);
    }
    if (outcome.ending === 'passed' || (await this.#passes(outcome.files))) return outcome.ending;
    return undefined;
  }

  #passes(files: readonly string[]): Promise<boolean> {
    const key = files.join(' ');
    const known = this.#pass.get(key) ?? this.#run(files).then(({ ending }) => ending === 'passed');
    this.#pass.set(key, known);
    return known;
  }

  async #run(tests: readonly string[]): Promise<Outcome> {
    const report = path.join(this.#folder, 'report.json');
    rmSync(report, { force: true });
    const args = ['run', '--config', '.config/mutants.config.ts', ...tests];
    const child = spawn('vitest', args, {
      cwd: this.#folder,
      stdio: 'ignore',
      detached: true,
    });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      // Its workers and the programs that they have started, too.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, longest);
    const [status] = (await once(child, 'close')) as [number | null];
    clearTimeout(timer);
    if (isLate) return { ending: 'late', files: tests };
    if (status === 0) return { ending: 'passed', files: [] };
    const { numFailedTests = 0, testResults = [] } = existsSync(report)
      ? (JSON.parse(readFileSync(report, 'utf8')) as Report)
      : {};
    const failed = testResults.filter((each) => each.status === 'failed');
    return {
      ending: numFailedTests > 0 ? 'failed' : 'broken',
      files:
        failed.length === 0 ? tests : failed.map(({ name }) => path.relative(this.#folder, name)),
    };
  }
}

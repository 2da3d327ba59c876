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

/** The longest time of tests under a mutant: a multiple of the time without it, and ms besides. */
const patience = { factor: 5, more: 20_000 };

/** A copy of the repository in which modules are changed while nobody looks. */
export class TrialCopy {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'hostdeck-mutants-'));
  /** Ms that files of tests take without a mutant; undefined when they do not pass. */
  readonly #taken = new Map<string, number | undefined>();

  constructor() {
    const left = new Set(['node_modules', '.git', 'archives'].map((name) => path.join(root, name)));
    cpSync(root, this.#folder, { recursive: true, filter: (file) => !left.has(file) });
    symlinkSync(path.join(root, 'node_modules'), path.join(this.#folder, 'node_modules'));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Resolves with how tests end while a module has another text; undefined when they fail without it. */
  async try(module: string, text: string, tests: readonly string[]): Promise<Ending | undefined> {
    const taken = await this.#timeOf(tests);
    if (taken === undefined) return undefined;
    const file = path.join(this.#folder, module);
    const original = readFileSync(file);
    writeFileSync(file, text);
    try {
      return await this.#run(tests, taken * patience.factor + patience.more);
    } finally {
      writeFileSync(file, original);
    }
  }

  async #timeOf(tests: readonly string[]): Promise<number | undefined> {
    const key = tests.join(' ');
    if (!this.#taken.has(key)) {
      const begun = performance.now();
      const ending = await this.#run(tests, 600_000);
      this.#taken.set(key, ending === 'passed' ? performance.now() - begun : undefined);
    }
    return this.#taken.get(key);
  }

  async #run(tests: readonly string[], milliseconds: number): Promise<Ending> {
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
    }, milliseconds);
    const [status] = (await once(child, 'close')) as [number | null];
    clearTimeout(timer);
    if (isLate) return 'late';
    if (status === 0) return 'passed';
    const { numFailedTests = 0 } = existsSync(report)
      ? (JSON.parse(readFileSync(report, 'utf8')) as { readonly numFailedTests?: number })
      : {};
    return numFailedTests > 0 ? 'failed' : 'broken';
  }
}

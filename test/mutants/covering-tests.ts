import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root, sources, tests, textOf } from '../architecture/sources.ts';
import type { Range } from './syntax.ts';

/** The functions that a test file calls, by the paths of their modules. */
export type Calls = Readonly<Record<string, readonly Range[]>>;

/** The record of one test file, a line of JSON. */
interface CallsOfTest {
  readonly test: string;
  readonly calls: Calls;
}

/** The test files that call a function, by a record of all of them. */
export class CoveringTests {
  /** By module: each function that a test calls, with these test files. */
  readonly #functions = new Map<string, Map<string, { range: Range; tests: string[] }>>();

  /** Takes the records of test files. */
  constructor(records: readonly CallsOfTest[]) {
    const size = ({ calls }: CallsOfTest) =>
      Object.values(calls).reduce((sum, ranges) => sum + ranges.length, 0);
    // A test of few functions looks at each of them more closely, and takes less time.
    const bySize = records.toSorted((left, right) => size(left) - size(right));
    for (const { test, calls } of bySize) {
      for (const [module, ranges] of Object.entries(calls)) {
        for (const range of ranges) this.#add(module, range, test);
      }
    }
  }

  /** Reads the record of the whole code as it is, which takes a run of all tests where there is none. */
  static ofAllTests(): CoveringTests {
    const code = createHash('sha256');
    for (const file of [...sources, ...tests]) code.update(`${file}\0${textOf(file)}\0`);
    const folder = path.join(root, 'node_modules/.cache/hostdeck/calls');
    const file = path.join(folder, `${code.digest('hex').slice(0, 16)}.jsonl`);
    if (!existsSync(file)) record(file);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    return new CoveringTests(lines.map((line) => JSON.parse(line) as CallsOfTest));
  }

  #add(module: string, range: Range, test: string): void {
    const functions = this.#functions.get(module) ?? new Map();
    this.#functions.set(module, functions);
    const known = functions.get(range.join()) ?? { range, tests: [] };
    functions.set(range.join(), known);
    if (known.tests.at(-1) !== test) known.tests.push(test);
  }

  /**
   * Returns the test files that call the innermost function around an offset of a module, those that call
   * the fewest others first; none for code outside of functions.
   */
  testsAt(module: string, offset: number): readonly string[] {
    const around = [...(this.#functions.get(module)?.values() ?? [])].filter(
      ({ range: [start, end] }) => start <= offset && offset < end,
    );
    const width = ({ range: [start, end] }: { readonly range: Range }) => end - start;
    return around.toSorted((left, right) => width(left) - width(right))[0]?.tests ?? [];
  }
}

/** Runs all tests, and writes what each of their files calls; a test that fails is recorded, too. */
function record(file: string): void {
  rmSync(path.dirname(file), { recursive: true, force: true });
  mkdirSync(path.dirname(file), { recursive: true });
  const unfinished = `${file}.part`;
  const env = { ...process.env, HOSTDECK_CALLS: unfinished };
  try {
    const args = ['run', '--config', '.config/calls.config.ts'];
    execFileSync('vitest', args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  } catch (error) {
    process.stderr.write(`Not all tests pass: ${String(error)}\n`);
  }
  renameSync(unfinished, file);
}

import { toolsMissing } from '../support/missing-tools.ts';

/** Names of checks that fail, each with the reason why hostdeck is right. */
export type Skips = Readonly<Record<string, string>>;

/** Returns what is wrong; undefined where nothing is. */
type Check = () => string | undefined | Promise<string | undefined>;

/** Counts the checks of a suite, and writes those that fail and those that are skipped. */
export class Report {
  passed = 0;
  failed = 0;
  skipped = 0;
  readonly #skips: Skips;
  readonly #unused: Set<string>;
  readonly #write: (line: string) => void;

  constructor(skips: Skips, write: (line: string) => void) {
    this.#skips = skips;
    this.#unused = new Set(Object.keys(skips));
    this.#write = write;
  }

  /** Runs a check. One that throws fails, and so does one of the skip list that passes. */
  async check(name: string, run: Check): Promise<void> {
    const problem = await problemOf(run);
    const reason = this.#skips[name];
    this.#unused.delete(name);
    if (reason === undefined) this.#count(name, problem);
    else if (problem === undefined) this.fail(name, 'It passes: remove it from the skip list.');
    else this.skip(name, reason);
  }

  fail(name: string, problem: string): void {
    this.failed += 1;
    this.#write(`  FAIL ${name}: ${problem}`);
  }

  skip(name: string, reason: string): void {
    this.skipped += 1;
    this.#write(`  skip ${name}: ${reason}`);
  }

  /** Returns whether a program is installed. Without it a part fails, on CI it is skipped. */
  has(program: string, debianPackage: string): boolean {
    if (toolsMissing([program]) === undefined) return true;
    this.lack(program, `it is not installed (apt-get install ${debianPackage})`);
    return false;
  }

  /** Records that a part can't run here. */
  lack(name: string, reason: string): void {
    if (process.env['CI'] === undefined) this.fail(name, reason);
    else this.skip(name, reason);
  }

  /** Fails the entries of the skip list that name no check. */
  end(): void {
    for (const name of this.#unused) this.fail(name, 'No check has this name of the skip list.');
  }

  #count(name: string, problem: string | undefined): void {
    if (problem === undefined) this.passed += 1;
    else this.fail(name, problem);
  }
}

async function problemOf(run: Check): Promise<string | undefined> {
  try {
    return await run();
  } catch (error) {
    return `thrown: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

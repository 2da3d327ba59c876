/**
 * `npm test`: types, lint, format, unused code, the build and every test. `npm test -- FILE...` builds
 * what is stale and runs these tests alone; options of vitest may follow, as in
 * `npm test -- test/store/log/reader/filter.test.ts -t services`.
 */
import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Exit and output of a command. */
interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

async function readAll(stream: Readable | null): Promise<string> {
  return stream === null ? '' : await text(stream);
}

function start(
  [command = '', ...args]: readonly string[],
  stdio: StdioOptions,
  env = process.env,
): ChildProcess {
  return spawn(command, args, { stdio, env });
}

async function ended(child: ChildProcess): Promise<Ended> {
  const output = Promise.all([readAll(child.stdout), readAll(child.stderr)]);
  const end = Promise.withResolvers<Pick<Ended, 'status' | 'signal'>>();
  child.once('error', end.reject);
  child.once('close', (status, signal) => end.resolve({ status, signal }));
  return { ...(await end.promise), output: (await output).join('') };
}

/** Runs commands at a time; resolves with whether one of them failed. */
async function anyFails(commands: readonly (readonly string[])[], onFailure: () => void) {
  const failed = await Promise.all(
    commands.map(async (command) => {
      const end = await ended(start(command, ['ignore', 'pipe', 'pipe'], frugal));
      process.stdout.write(end.output);
      if (!endsWith(end)) return false;
      onFailure();
      return true;
    }),
  );
  return failed.includes(true);
}

/** Ends this program as a command ended that failed; returns whether it failed. */
function endsWith({ status, signal }: Ended): boolean {
  if (status === 0) return false;
  process.exitCode = status ?? 1;
  if (signal !== null) process.kill(process.pid, signal);
  return true;
}

// The type checker and the bundler are Go programs that end soon: collecting garbage less often, the checker takes
// 59 s of processor time in place of 69 to 83, and 2.6 GB in place of 2.4. The limit keeps it from more than 3.
const frugal = { GOGC: '400', GOMEMLIMIT: '3GiB', ...process.env };

const files = process.argv.slice(2);
const isWhole = files.length === 0;
const build = ['node', '.config/build.ts', '--if-stale'];
const bundle = ['node', 'test/support/bundle-programs.ts'];
// The linter reports what `npm run types` does, and reads the types once.
const checks = ['lint', 'format:check', 'unused'].map((script) => [
  'npm',
  'run',
  '--silent',
  script,
]);

if (!(await anyFails(isWhole ? [build, bundle] : [build], () => undefined))) {
  const tests = start(
    ['vitest', 'run', '--config', '.config/vitest.config.ts', ...files],
    'inherit',
  );
  const end = ended(tests);
  // The checks use the time in which tests wait; one that fails ends the tests.
  const isBroken = await anyFails(isWhole ? checks : [], () => tests.kill());
  const result = await end;
  if (!isBroken) endsWith(result);
}

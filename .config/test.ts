/**
 * `npm test`: types, lint, format, unused code, the build and every test. `npm test -- FILE...` builds
 * what is stale and runs these tests alone; options of vitest may follow, as in
 * `npm test -- test/store/log/reader/filter.test.ts -t services`.
 */
import { spawn, type StdioOptions } from 'node:child_process';
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

async function run(
  [command = '', ...args]: readonly string[],
  stdio: StdioOptions,
  env = process.env,
): Promise<Ended> {
  const child = spawn(command, args, { stdio, env });
  const output = Promise.all([readAll(child.stdout), readAll(child.stderr)]);
  const ended = Promise.withResolvers<Pick<Ended, 'status' | 'signal'>>();
  child.once('error', ended.reject);
  child.once('close', (status, signal) => ended.resolve({ status, signal }));
  return { ...(await ended.promise), output: (await output).join('') };
}

/** Ends this program as a command ended that failed; returns whether it failed. */
function endsWith({ status, signal }: Ended): boolean {
  if (status === 0) return false;
  process.exitCode = status ?? 1;
  if (signal !== null) process.kill(process.pid, signal);
  return true;
}

const files = process.argv.slice(2);
const vitest = ['vitest', 'run', '--config', '.config/vitest.config.ts', ...files];
const build = ['node', '.config/build.ts', '--if-stale'];
// The linter reports what `npm run types` does, and reads the types once.
const checks = ['lint', 'format:check', 'unused'].map((script) => [
  'npm',
  'run',
  '--silent',
  script,
]);
const bundle = ['node', 'test/support/bundle-programs.ts'];
const first = files.length === 0 ? [build, bundle, ...checks] : [build];
// The type checker and the bundler are Go programs that end soon: collecting garbage less often, the checker takes
// 59 s of processor time in place of 69 to 83, and 2.6 GB in place of 2.4. The limit keeps it from more than 3.
const frugal = { GOGC: '400', GOMEMLIMIT: '3GiB', ...process.env };

// Most of them use one core: together they take half as long as one after the other.
const isBroken = await Promise.all(
  first.map(async (command) => {
    const ended = await run(command, ['ignore', 'pipe', 'pipe'], frugal);
    process.stdout.write(ended.output);
    return endsWith(ended);
  }),
);
if (!isBroken.includes(true)) endsWith(await run(vitest, 'inherit'));

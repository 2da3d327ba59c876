/**
 * `npm test`: types, lint, format, unused code, the build and every test. `npm test -- FILE...` builds
 * what is stale and runs these tests alone; options of vitest may follow, as in
 * `npm test -- test/store/log/reader/filter.test.ts -t services`.
 */
import { spawnSync } from 'node:child_process';

const files = process.argv.slice(2);
const checks = ['types', 'lint', 'format:check', 'unused', 'build'].map((script) => [
  'npm',
  'run',
  '--silent',
  script,
]);
const vitest = ['vitest', 'run', '--config', '.config/vitest.config.ts', ...files];
const build = ['node', '.config/build.ts', '--if-stale'];
const steps = files.length === 0 ? [...checks, vitest] : [build, vitest];

for (const [command = '', ...args] of steps) {
  const { status, signal } = spawnSync(command, args, { stdio: 'inherit' });
  if (status === 0) continue;
  process.exitCode = status ?? 1;
  if (signal !== null) process.kill(process.pid, signal);
  break;
}

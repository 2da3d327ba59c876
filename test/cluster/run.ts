/**
 * `npm run cluster`: the tests of this folder on a bed of their own. `npm run cluster -- TRIAL...` runs
 * these trials instead, which take minutes: `away` (`--minutes N`, 10 by default), `closes` (`--closes N`,
 * 50), `crash-loop` (`--runs N`, 1000), `cuts` (`--times N`, 5), `kills` (`--kills N`, 20), `lines` and
 * `recorded` (`--writes N`, 100). Prints their figures, and exits with 1 when a promise did not hold.
 * `npm run cluster -- FILE...` runs these test files.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { isMissing } from './bed.ts';
import { tryAway } from './trials/away.ts';
import { tryCloses } from './trials/closes.ts';
import { tryCrashLoop } from './trials/crash-loop.ts';
import { tryCuts } from './trials/cuts.ts';
import { tryKills } from './trials/kills.ts';
import { tryLines } from './trials/lines.ts';
import { tryRecorded } from './trials/recorded.ts';
import type { TrialResult } from './trials/trial.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    closes: { type: 'string', default: '50' },
    kills: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '10' },
    runs: { type: 'string', default: '1000' },
    times: { type: 'string', default: '5' },
    writes: { type: 'string', default: '100' },
  },
});

const trials: Readonly<Record<string, () => Promise<TrialResult>>> = {
  away: () => tryAway({ minutes: Number(values.minutes) }),
  closes: () => tryCloses({ closes: Number(values.closes) }),
  'crash-loop': () => tryCrashLoop({ runs: Number(values.runs) }),
  cuts: () => tryCuts({ times: Number(values.times) }),
  kills: () => tryKills({ kills: Number(values.kills) }),
  lines: () => tryLines(),
  recorded: () => tryRecorded({ writes: Number(values.writes) }),
};

if (isMissing) {
  process.exitCode = 1;
} else if (positionals.length > 0 && positionals.every((name) => name in trials)) {
  for (const name of positionals) await report(name);
} else {
  process.exitCode = await runTests(positionals);
}

async function report(name: string): Promise<void> {
  const { figures = [], failures = [] } = (await trials[name]?.()) ?? {};
  for (const figure of figures) process.stdout.write(`${name}: ${figure}\n`);
  if (failures.length === 0) return;
  process.exitCode = 1;
  process.stdout.write(`${name}: DIFFERS: ${failures.join(', ')}\n`);
}

async function runTests(files: readonly string[]): Promise<number> {
  const args = ['run', '--config', '.config/cluster.config.ts', ...files];
  const [code] = await once(spawn('vitest', args, { stdio: 'inherit' }), 'exit');
  return Number(code ?? 1);
}

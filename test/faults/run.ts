/**
 * `npm run faults -- --seed S --rounds N`: kills the program at moments of an editing day, and looks
 * at what is left. `--round R` runs that one alone. Exits with 1 at the first promise that is broken.
 */
import { parseArgs } from 'node:util';
import { momentText, planOf } from './plan.ts';
import { runRound } from './round.ts';
import { startSurvivingHost } from './surviving-host.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '10' },
    round: { type: 'string' },
  },
});
const seed = Number(values.seed);
const first = values.round === undefined ? 0 : Number(values.round);
const last = values.round === undefined ? Number(values.rounds) : first + 1;
if (![seed, first, last].every((number) => Number.isSafeInteger(number) && number >= 0)) {
  process.stderr.write('Seed and rounds are whole numbers.\n');
  process.exit(2);
}

await using host = await startSurvivingHost();
for (let round = first; round < last; round += 1) {
  const plan = planOf(seed, round);
  const what = `seed ${seed} round ${round}: ${plan.killing}, ${momentText(plan.moment)}, restarts after ${plan.restartDelay}`;
  const { held, broken } = await runRound(host, plan).catch((error: unknown) => ({
    held: [],
    broken: [error instanceof Error ? error.message : String(error)],
  }));
  if (broken.length === 0) {
    process.stdout.write(`${what}: held: ${held.join(', ')}\n`);
    continue;
  }
  process.stdout.write(`${what}: BROKEN\n  ${broken.join('\n  ')}\n`);
  process.stdout.write(`${JSON.stringify(plan)}\n`);
  process.stdout.write(`Again: npm run faults -- --seed ${seed} --round ${round}\n`);
  process.exitCode = 1;
}

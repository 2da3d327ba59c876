import { hostMomentText, hostPlanOf } from './host-plan.ts';
import { runHostRound } from './host-round.ts';
import type { Judgement } from './judge.ts';
import { momentText, planOf } from './plan.ts';
import { runRound } from './round.ts';
import { startSurvivingHost } from './surviving-host.ts';
import { ioFaults, ioFaultText, runIoRound } from './io-round.ts';
import { readOptions } from '../support/options.ts';

const help = `npm run faults -- [--host | --io] [--seed S] [--rounds N | --round R]

Kills the console at moments of an editing day, and looks at what is left.

  --host       kills the host instead, while clients upload, edit, restart, spend and read logs
  --io         fails file operations of the console with strace instead: each kind and error at each of
               its first times; rounds choose among them
  --seed S     of the plans of the rounds: 1 without one
  --rounds N   so many rounds: 10 without a number
  --round R    that one alone

Exits with 1 where a promise was broken.
`;

const values = readOptions({
  host: { type: 'boolean', default: false },
  io: { type: 'boolean', default: false },
  seed: { type: 'string', default: '1' },
  rounds: { type: 'string', default: '10' },
  round: { type: 'string' },
  help: { type: 'boolean', default: false },
});
if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}
const seed = Number(values.seed);
const first = values.round === undefined ? 0 : Number(values.round);
const last = values.round === undefined ? Number(values.rounds) : first + 1;
if (![seed, first, last].every((number) => Number.isSafeInteger(number) && number >= 0)) {
  process.stderr.write('Seed and rounds are whole numbers.\n');
  process.exit(2);
}

/** A round that is ready to be run, and what it does in words. */
interface Round {
  readonly what: string;
  readonly plan: object;
  readonly run: () => Promise<Judgement>;
}

if (values.io) {
  const faults = ioFaults(4);
  await runAll((round) => {
    const fault = faults[round % faults.length];
    if (fault === undefined) throw new Error('no fault');
    return { what: ioFaultText(fault), plan: fault, run: () => runIoRound(fault) };
  });
} else if (values.host) {
  await runAll((round) => {
    const plan = hostPlanOf(seed, round);
    const what = `kill -9 ${plan.kills.map(hostMomentText).join(', ')}`;
    return { what, plan: { kills: plan.kills }, run: () => runHostRound(plan) };
  });
} else {
  await using host = await startSurvivingHost();
  await runAll((round) => {
    const plan = planOf(seed, round);
    const what = `${plan.killing}, ${momentText(plan.moment)}, restarts after ${plan.restartDelay}`;
    return { what, plan, run: () => runRound(host, plan) };
  });
}

async function runAll(roundOf: (round: number) => Round): Promise<void> {
  for (let round = first; round < last; round += 1) {
    const { what, plan, run } = roundOf(round);
    const { held, broken } = await run().catch((error: unknown) => ({
      held: [],
      broken: [error instanceof Error ? error.message : String(error)],
    }));
    const whole = `seed ${seed} round ${round}: ${what}`;
    if (broken.length === 0) {
      process.stdout.write(`${whole}: held: ${held.join(', ')}\n`);
      continue;
    }
    process.stdout.write(`${whole}: BROKEN\n  ${broken.join('\n  ')}\n`);
    process.stdout.write(`${JSON.stringify(plan)}\n`);
    const kind = values.host ? '--host ' : values.io ? '--io ' : '';
    process.stdout.write(`Again: npm run faults -- ${kind}--seed ${seed} --round ${round}\n`);
    process.exitCode = 1;
  }
}

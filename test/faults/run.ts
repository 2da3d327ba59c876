import { hostMomentText, hostPlanOf } from './host-plan.ts';
import { runHostRound } from './host-round.ts';
import type { Judgement } from './judge.ts';
import { momentText, planOf } from './plan.ts';
import { runRound } from './round.ts';
import { startSurvivingHost, type SurvivingHost } from './surviving-host.ts';
import {
  compileFailingCalls,
  type IoFault,
  ioFaultsOf,
  ioFaultText,
  readIoFault,
} from './failing-calls.ts';
import { runIoRound } from './io-round.ts';
import { readOptions } from '../support/options.ts';

const help = `npm run faults -- [--host | --io] [--seed S] [--rounds N | --round R | --all | --fault F]

Kills the console at moments of an editing day, and looks at what is left.

  --host       kills the host instead, while clients upload, edit, restart, spend and read logs
  --io         fails a file operation of the console instead, in each round another one of those that it
               makes from its start to its end; needs a C compiler
  --seed S     of the plans of the rounds: 1 without one
  --rounds N   so many rounds: 10 without a number
  --round R    that one alone
  --all        with --io: a round for each operation
  --fault F    with --io: that one alone, as 'open EMFILE 12'; 'open EMFILE 12+' fails all later ones, too

Exits with 1 where a promise was broken.
`;

const values = readOptions({
  host: { type: 'boolean', default: false },
  io: { type: 'boolean', default: false },
  seed: { type: 'string', default: '1' },
  rounds: { type: 'string', default: '10' },
  round: { type: 'string' },
  all: { type: 'boolean', default: false },
  fault: { type: 'string' },
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

/** A round that is ready to be run. */
interface Round {
  /** Its name and what it does, in words. */
  readonly what: string;
  /** The options that repeat it. */
  readonly again: string;
  readonly plan: object;
  readonly run: () => Promise<Judgement>;
}

const numbers = Array.from({ length: last - first }, (_, index) => first + index);

if (values.io) {
  compileFailingCalls();
  await runAll((await chosenFaults()).map(ioRound));
} else if (values.host) {
  await runAll(numbers.map(hostRound));
} else {
  await using host = await startSurvivingHost();
  await runAll(numbers.map((round) => consoleRound(host, round)));
}

/** Returns the faults of this run: the given one, one for each operation of a session, or some of these. */
async function chosenFaults(): Promise<readonly IoFault[]> {
  if (values.fault !== undefined) {
    const fault = readIoFault(values.fault);
    if (fault !== undefined) return [fault];
    process.stderr.write(`${values.fault} is not a fault.\n`);
    process.exit(2);
  }
  const { calls, broken } = await runIoRound(undefined);
  if (broken.length > 0) throw new Error(broken.join('\n'));
  const all = ioFaultsOf(calls);
  if (values.all) return all;
  return all.filter((_, index) => (index * numbers.length + seed) % all.length < numbers.length);
}

function ioRound(fault: IoFault): Round {
  const what = ioFaultText(fault);
  return { what, again: `--io --fault '${what}'`, plan: fault, run: () => runIoRound(fault) };
}

function hostRound(round: number): Round {
  const plan = hostPlanOf(seed, round);
  return {
    what: `seed ${seed} round ${round}: kill -9 ${plan.kills.map(hostMomentText).join(', ')}`,
    again: `--host --seed ${seed} --round ${round}`,
    plan: { kills: plan.kills },
    run: () => runHostRound(plan),
  };
}

function consoleRound(host: SurvivingHost, round: number): Round {
  const plan = planOf(seed, round);
  const moment = `${plan.killing}, ${momentText(plan.moment)}`;
  return {
    what: `seed ${seed} round ${round}: ${moment}, restarts after ${plan.restartDelay}`,
    again: `--seed ${seed} --round ${round}`,
    plan,
    run: () => runRound(host, plan),
  };
}

async function runAll(rounds: readonly Round[]): Promise<void> {
  for (const { what, again, plan, run } of rounds) {
    const { held, broken } = await run().catch((error: unknown) => ({
      held: [],
      broken: [error instanceof Error ? error.message : String(error)],
    }));
    if (broken.length === 0) {
      process.stdout.write(`${what}: held: ${held.join(', ')}\n`);
      continue;
    }
    process.stdout.write(`${what}: BROKEN\n  ${broken.join('\n  ')}\n`);
    process.stdout.write(`${JSON.stringify(plan)}\nAgain: npm run faults -- ${again}\n`);
    process.exitCode = 1;
  }
}

/**
 * Runs simulated services by hand: `nice node test/tail/log/simulate.ts FROM TO [KIND]`. Prints the wrong runs of
 * each kind of service over the seeds from FROM up to and without TO, so that long runs can be divided.
 */
import { listedByTime, smallSkews, wrongInListed } from './listed-verdict.ts';
import { runModel } from './model-run.ts';
import type { ServiceShape } from './model-service.ts';
import { wrongInNumbered, wrongInUnnumbered } from './model-verdict.ts';
import { numberedShape, trueClocks } from './shapes.ts';

interface Kind {
  readonly name: string;
  readonly change: Partial<ServiceShape>;
  readonly clocks?: (random: () => number) => ServiceShape['clocks'];
  readonly wrongIn: typeof wrongInNumbered;
}

const one = { restarts: 'none' } as const;

/** Without faults of the frames, of which nothing could tell the order. */
const inOrder = { ...one, swaps: 0, doubles: 0, losses: 0, late: 0, clocks: trueClocks } as const;

const untimed = { ...trueClocks, http: undefined, stream: undefined };

/** Faults of the frames. */
const faults = {
  'in order': {},
  doubled: { doubles: 0.05 },
  swapped: { swaps: 0.05 },
  lost: { losses: 0.02 },
  late: { late: 0.05 },
} as const;

/** Returns a kind of unnumbered log with each fault of the frames. */
function unnumbered(name: string, change: Partial<ServiceShape>): readonly Kind[] {
  return Object.entries(faults).map(([fault, frames]) => ({
    name: `${name}, ${fault}`,
    change: { ...inOrder, ...change, ...frames },
    wrongIn: wrongInUnnumbered,
  }));
}

const kinds: readonly Kind[] = [
  { name: 'services with ids', change: {}, wrongIn: wrongInNumbered },
  { name: 'one numbering', change: one, wrongIn: wrongInNumbered },
  { name: 'ten lines kept', change: { ...one, retention: 10 }, wrongIn: wrongInNumbered },
  { name: 'lines removed', change: { ...one, removes: 7 }, wrongIn: wrongInNumbered },
  { name: 'refused offsets', change: { ...one, refusedFrom: 100 }, wrongIn: wrongInNumbered },
  { name: 'listed by time', change: { ...one, listedBy: 'time' }, wrongIn: wrongInNumbered },
  {
    name: 'listed by time, small skews',
    change: listedByTime,
    clocks: smallSkews,
    wrongIn: wrongInListed,
  },
  ...unnumbered('ids of each service', { ids: 'per-service' }),
  ...unnumbered('text ids', { ids: 'text' }),
  ...unnumbered('falling ids', { ids: 'falling' }),
  ...unnumbered('no ids', { ids: 'none' }),
  ...unnumbered('no ids, seconds', { ids: 'none', clocks: { ...trueClocks, http: 0 } }),
  ...unnumbered('no ids, no times', { ids: 'none', clocks: untimed }),
  { name: 'numbers anew', change: { restarts: 'anew' }, wrongIn: wrongInNumbered },
  { name: 'numbers anew, wiped', change: { restarts: 'wiped' }, wrongIn: wrongInNumbered },
  {
    name: 'numbers anew, lines removed',
    change: { restarts: 'anew', removes: 7 },
    wrongIn: wrongInNumbered,
  },
  { name: 'restored backup', change: { restarts: 'backup' }, wrongIn: wrongInNumbered },
];

/** Returns whether a run goes wrong; `unnumbered` when it is right because of that label alone. */
function verdictOf(
  seed: number,
  { change, clocks, wrongIn }: Kind,
): 'right' | 'unnumbered' | 'wrong' {
  try {
    const run = runModel(seed, (random) => {
      const shape = { ...numberedShape(random), ...change };
      return clocks === undefined ? shape : { ...shape, clocks: clocks(random) };
    });
    if (wrongIn(run) !== undefined) return 'wrong';
    const isLabelled = wrongIn === wrongInNumbered && run.log.labels.includes('unnumbered');
    return isLabelled ? 'unnumbered' : 'right';
  } catch {
    return 'wrong';
  }
}

const [from = 0, to = from + 100] = process.argv.slice(2, 4).map(Number);
const [, , , , wanted = ''] = process.argv;
for (const kind of kinds.filter(({ name }) => name.startsWith(wanted))) {
  const wrong: number[] = [];
  let labelled = 0;
  for (let seed = from; seed < to; seed += 1) {
    const verdict = verdictOf(seed, kind);
    if (verdict === 'wrong') wrong.push(seed);
    if (verdict === 'unnumbered') labelled += 1;
  }
  const seeds = wrong.length === 0 ? '' : `: ${wrong.slice(0, 20).join(' ')}`;
  const labels = labelled === 0 ? '' : `, ${labelled} unnumbered`;
  console.log(`${kind.name}: ${wrong.length} of ${to - from} wrong${labels}${seeds}`);
}

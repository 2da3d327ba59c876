import type { ForeignOptions } from '../servers/foreign.ts';
import { startWritingForeign } from './foreign-service.ts';
import { startWritingHost } from './host-service.ts';
import { createRandom, planOf } from './plan.ts';
import { type RoundResult, runRound } from './round.ts';
import { earlierLines, type WritingService } from './service.ts';

/**
 * `clocks`: a foreign service whose services have clocks of their own. `unnumbered`: one whose lines have
 * no ids. Nothing tells their order where frames are swapped, nor how many there are where frames are
 * doubled.
 */
export const serviceNames = ['host', 'foreign', 'clocks', 'unnumbered'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** Lines a second, and the cuts of a round. Clocks that differ by seconds matter between few lines most. */
export const usual: Readonly<
  Record<ServiceName, { readonly rate: number; readonly cuts: number }>
> = {
  host: { rate: 5000, cuts: 50 },
  foreign: { rate: 5000, cuts: 50 },
  clocks: { rate: 200, cuts: 5 },
  unnumbered: { rate: 5000, cuts: 50 },
};

const everything = 1_000_000;

/** The last one is set while the log is followed. */
const clocks: readonly ForeignOptions['logClocks'][] = [
  { worker: -2000 },
  { worker: -7000, api: 45_000 },
  { worker: { step: -3_600_000, after: earlierLines + 250 } },
];

/** The logs of a foreign service, in turn. */
export const answers: Readonly<
  Record<Exclude<ServiceName, 'host'>, readonly Partial<ForeignOptions>[]>
> = {
  foreign: [
    { logOrder: 'oldest', logIds: 'holes' },
    { logOrder: 'newest', logIds: 'huge', logReplay: 100 },
    { logOrder: 'newest', logIds: 'holes', logFrames: 'swapped' },
    { logOrder: 'oldest', logIds: 'text', logFrames: 'arrays' },
    { logOrder: 'oldest', logIds: 'dense', logReplay: 100, logFrames: 'doubled' },
  ],
  clocks: clocks.flatMap((logClocks) => [
    { logOrder: 'oldest', logIds: 'holes', logClocks },
    { logOrder: 'newest', logIds: 'dense', logClocks },
  ]),
  unnumbered: [
    { logOrder: 'oldest', logIds: 'none' },
    { logOrder: 'newest', logIds: 'none', logReplay: 100 },
    { logOrder: 'newest', logIds: 'none', logFrames: 'arrays' },
    { logOrder: 'oldest', logIds: 'none', logReplay: everything },
  ],
};

function answersOf(service: Exclude<ServiceName, 'host'>, round: number): Partial<ForeignOptions> {
  return answers[service][round % answers[service].length] ?? {};
}

export interface RoundsOptions {
  readonly service: ServiceName;
  readonly seed: number;
  readonly round: number;
  readonly cuts: number;
  /** Lines a second. */
  readonly rate: number;
  readonly speed: number;
}

/** Describes the service of a round. */
export function serviceText({ service, round }: Pick<RoundsOptions, 'service' | 'round'>): string {
  if (service === 'host') return 'host';
  const { logOrder, logIds, logFrames, logReplay, logClocks } = answersOf(service, round);
  const frames = logFrames === undefined ? '' : `, frames: ${logFrames}`;
  const replay = logReplay === undefined ? '' : `, repeats ${logReplay} lines`;
  const off = logClocks === undefined ? '' : `, clocks: ${JSON.stringify(logClocks)}`;
  return `foreign (${logOrder} first, ids: ${logIds}${frames}${replay}${off})`;
}

/** A service of its own, a log that is followed, and `cuts` cuts. */
export async function startRound(options: RoundsOptions): Promise<RoundResult> {
  const { seed, round, cuts, speed } = options;
  await using service = await startService(options);
  const random = createRandom(seed * 100_003 + round);
  return await runRound({ service, plan: planOf(seed, round, cuts), speed, random });
}

function startService({ service, round, rate }: RoundsOptions): Promise<WritingService> {
  if (service === 'host') return startWritingHost(rate);
  return startWritingForeign(rate, answersOf(service, round));
}

/** Returns the faults that a round found; empty when all lines are there, in order, once. */
export function wrongIn(result: RoundResult): readonly string[] {
  const { lost, doubled, disordered, strange, gaps, faults, samples } = result;
  const wrong = Object.entries({ lost, doubled, disordered, strange, gaps })
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`);
  return [...wrong, ...(wrong.length > 0 ? samples : []), ...faults.slice(0, 5)];
}

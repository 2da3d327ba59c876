/** Shapes of services by chance. */
import type { Clocks, ServiceShape } from './model-service.ts';

type Random = () => number;

function pick<Value>(random: Random, ...values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)] as Value;
}

/** Returns clocks that differ, step and fail. */
function clocksOf(random: Random): Clocks {
  const skew = (): number => pick(random, 0, 100, -100, 2000, -7000, 45_000, -3_600_000, 3_600_000);
  return {
    skews: [skew(), skew(), skew()],
    steps: random() < 0.3 ? [{ at: 150, by: pick(random, -3_600_000, 3_600_000, -2000) }] : [],
    odd: pick(random, 0, 0, 0.01, 0.1),
    oddTime: pick(random, 'batch' as const, '1970' as const, '2099' as const),
    http: pick(random, 3, 3, 6, 0, undefined),
    stream: pick(random, 3, 3, 6, 0, undefined),
  };
}

export const trueClocks: Clocks = {
  skews: [0, 0, 0],
  steps: [],
  odd: 0,
  oddTime: 'none',
  http: 3,
  stream: 3,
};

/** Returns the shape of a service that numbers its lines. */
export function numberedShape(random: Random): ServiceShape {
  const isNewNumbering = random() < 0.25;
  const isLate = random() < 0.15;
  const retention = pick(random, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 150);
  return {
    offsets: pick(random, 'newest' as const, 'oldest' as const),
    rows: pick(random, 'newest' as const, 'oldest' as const),
    pageCap: pick(random, 20, 60, 1000),
    growing: random() < 0.1,
    ids: pick(random, 'dense' as const, 'dense' as const, 'holes' as const, 'large' as const),
    listedBy: 'id',
    services: pick(random, 1, 2, 3),
    clocks: clocksOf(random),
    replay: pick(random, 0, 0, 30, 1_000_000),
    swaps: pick(random, 0, 0, 0.1),
    doubles: pick(random, 0, 0, 0.1),
    losses: pick(random, 0, 0, 0, 0.02),
    late: isLate ? 0.05 : 0,
    lateBy: 5,
    restarts: isNewNumbering
      ? pick(random, 'anew' as const, 'wiped' as const, 'backup' as const)
      : 'none',
    retention: isNewNumbering ? Number.MAX_SAFE_INTEGER : retention,
    removes: undefined,
    lag: pick(random, 0, 0, 10),
    cut: pick(random, undefined, undefined, 12),
    equal: pick(random, 0, 0.5),
    history: pick(random, 'good' as const, 'good' as const, 'flaky' as const),
    refusedFrom: Number.MAX_SAFE_INTEGER,
  };
}

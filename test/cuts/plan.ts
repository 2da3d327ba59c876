import * as fc from 'fast-check';

/** A failure of the network or of the service. */
export type Cut =
  /** All connections at once, in the middle of whatever they carry. */
  | { readonly kind: 'cut' }
  /** After so many bytes more of the running stream: mostly in the middle of a frame. */
  | { readonly kind: 'frame'; readonly bytes: number }
  /** The next stream after so many bytes of its handshake, or directly behind it. */
  | { readonly kind: 'handshake'; readonly bytes: number }
  /** After so many bytes of the history that is fetched when the stream is back. */
  | { readonly kind: 'page'; readonly bytes: number }
  /** Nothing passes any more, and nobody is told. */
  | { readonly kind: 'silence' }
  /** No connection is accepted for so many ms. */
  | { readonly kind: 'away'; readonly milliseconds: number }
  /** The service itself drops its connections, or is killed, and comes back. */
  | { readonly kind: 'service'; readonly milliseconds: number };

/** One cut, and the ms before it, counted from when the stream is asked for again. */
export interface Step {
  readonly wait: number;
  readonly cut: Cut;
}

/** Some come before the handshake is over, most while lines are fetched, the rest later. */
const anyWait = fc.oneof(
  fc.integer({ min: 0, max: 10 }),
  fc.integer({ min: 10, max: 80 }),
  fc.integer({ min: 80, max: 400 }),
);

const anyCut: fc.Arbitrary<Cut> = fc.oneof(
  { weight: 10, arbitrary: fc.constant({ kind: 'cut' as const }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('frame' as const),
      bytes: fc.noBias(fc.integer({ min: 1, max: 20_000 })),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('handshake' as const),
      bytes: fc.noBias(fc.integer({ min: 1, max: 300 })),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('page' as const),
      bytes: fc.noBias(fc.integer({ min: 1, max: 120_000 })),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: 'silence' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('away' as const),
      milliseconds: fc.noBias(fc.integer({ min: 20, max: 900 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('service' as const),
      milliseconds: fc.noBias(fc.integer({ min: 0, max: 600 })),
    }),
  },
);

/** The cuts of a round: the same for the same seed and round. */
export function planOf(seed: number, round: number, cuts: number): readonly Step[] {
  const anyPlan = fc.array(fc.record({ wait: anyWait, cut: anyCut }), {
    minLength: cuts,
    maxLength: cuts,
    size: 'max',
  });
  const [plan] = fc.sample(anyPlan, { seed: seed * 100_003 + round, numRuns: 1 });
  if (plan === undefined) throw new Error('no plan came of it');
  return plan;
}

/** Numbers in [0, 1) that are the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

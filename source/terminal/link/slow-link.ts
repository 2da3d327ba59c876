/** Measurements of the link from one answer of the terminal. */
export interface LinkSample {
  /** Milliseconds. */
  readonly roundTrip: number;
  /** Bytes per ms; infinite where no limit is known. */
  readonly capacity: number;
}

/** Answers that are judged together, and those of them that must agree. */
export const judgedAnswers = 7;
const majority = 4;

/** Milliseconds, and bytes per ms. A link between the two limits stays what it was. */
const roundTripLimits = { slow: 120, fast: 80 };
const capacityLimits = { slow: 24, fast: 40 };

/**
 * Returns whether a link is slow. Several of the last answers must agree on a change, as any single
 * round trip may be long because the program or the terminal was busy.
 */
export function isSlowLink(wasSlow: boolean, samples: readonly LinkSample[]): boolean {
  const last = samples.slice(-judgedAnswers);
  const isAgreed = wasSlow ? last.filter(isFast) : last.filter(isSlow);
  return isAgreed.length >= majority ? !wasSlow : wasSlow;
}

function isSlow({ roundTrip, capacity }: LinkSample): boolean {
  return roundTrip >= roundTripLimits.slow || capacity <= capacityLimits.slow;
}

function isFast({ roundTrip, capacity }: LinkSample): boolean {
  return roundTrip < roundTripLimits.fast && capacity >= capacityLimits.fast;
}

/** The episodes of conditions: each is told once, and never in quiet hours. A pure state machine. */

/** Milliseconds that a condition must be clear before its episode ends. */
export const clearSpan = 300_000;

/** Longest step in ms: time in which this machine slept tells nothing about a condition. */
const longestStep = 10_000;

/** One episode of a condition. */
export interface Episode {
  /** False while it has only gone on in quiet hours. */
  readonly isTold: boolean;
  /** Milliseconds for which the condition has been clear; 0 while it goes on. */
  readonly clearFor: number;
}

export interface Episodes {
  /** Time of the last step, ms by any clock. */
  readonly at: number | undefined;
  /** Episodes by the key of their condition. */
  readonly byKey: ReadonlyMap<string, Episode>;
}

export const noEpisodes: Episodes = { at: undefined, byKey: new Map() };

/** The conditions at one moment. */
export interface Observation {
  /** Time in ms; it may jump in both directions, as a clock that is set does. */
  readonly now: number;
  readonly isQuiet: boolean;
  /** Keys of the conditions that go on. */
  readonly active: Iterable<string>;
  /** Returns whether nothing is known about a condition at the moment. None is by default. */
  readonly isUnknown?: ((key: string) => boolean) | undefined;
}

/** An alert to tell. */
export interface ToldEpisode {
  readonly key: string;
  /** True where it began in quiet hours, and goes on at their end. */
  readonly isHeld: boolean;
}

/** Returns the milliseconds from one step to the next; the clock may have been set between them. */
export function stepLength(before: number | undefined, now: number): number {
  return Math.min(longestStep, Math.max(0, now - (before ?? now)));
}

/** Takes an observation into the episodes. Returns the alerts to tell now. */
export function observeConditions(
  { at, byKey }: Episodes,
  { now, isQuiet, active, isUnknown = () => false }: Observation,
): { readonly episodes: Episodes; readonly told: readonly ToldEpisode[] } {
  const elapsed = stepLength(at, now);
  const next = new Map<string, Episode>();
  const told: ToldEpisode[] = [];
  for (const key of new Set(active)) {
    const episode = byKey.get(key);
    const isTold = episode?.isTold === true;
    if (!isTold && !isQuiet) told.push({ key, isHeld: episode !== undefined });
    next.set(key, { isTold: isTold || !isQuiet, clearFor: 0 });
  }
  for (const [key, episode] of byKey) {
    if (next.has(key)) continue;
    const clearFor = episode.clearFor + (isUnknown(key) ? 0 : elapsed);
    if (clearFor < clearSpan) next.set(key, { ...episode, clearFor });
  }
  return { episodes: { at: now, byKey: next }, told };
}

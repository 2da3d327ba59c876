/**
 * The episodes of conditions: each is told once, as soon as its condition has held for long enough. A pure
 * state machine, and what is stored of it for the next start.
 */

/** Milliseconds that a condition must be clear before its episode ends. */
export const clearSpan = 300_000;

/** Longest step in ms: time in which this machine slept tells nothing about a condition. */
const longestStep = 10_000;

/** One episode of a condition. */
export interface Episode {
  /** Milliseconds for which the condition has held without a break; undefined while it doesn't. */
  readonly heldFor: number | undefined;
  /** Milliseconds since it last held for long enough. */
  readonly clearFor: number;
  readonly isTold: boolean;
}

export interface Episodes {
  /** Time of the last step, ms by any clock. */
  readonly at: number | undefined;
  /** Episodes by the key of their condition. */
  readonly byKey: ReadonlyMap<string, Episode>;
}

/** The conditions at one moment. */
export interface Observation {
  /** Time in ms; it may jump in both directions, as a clock that is set does. */
  readonly now: number;
  /** The keys of the conditions that hold, each with the milliseconds before it is told. */
  readonly active: ReadonlyMap<string, number>;
  /** Returns whether nothing is known about a condition at the moment. */
  readonly isUnknown: (key: string) => boolean;
}

/** Returns the milliseconds from one step to the next; the clock may have been set between them. */
export function stepLength(before: number | undefined, now: number): number {
  return Math.min(longestStep, Math.max(0, now - (before ?? now)));
}

/** Takes an observation into the episodes. Returns the keys to tell now. */
export function observeConditions(
  { at, byKey }: Episodes,
  { now, active, isUnknown }: Observation,
): { readonly episodes: Episodes; readonly told: readonly string[] } {
  const next = new Map<string, Episode>();
  const told: string[] = [];
  for (const key of new Set([...active.keys(), ...byKey.keys()])) {
    const { heldFor, clearFor = 0, isTold = false } = byKey.get(key) ?? {};
    const elapsed = isUnknown(key) ? 0 : stepLength(at, now);
    const needed = active.get(key);
    const held = heldFor === undefined ? 0 : heldFor + elapsed;
    if (needed !== undefined && held >= needed) {
      if (!isTold) told.push(key);
      next.set(key, { heldFor: held, clearFor: 0, isTold: true });
      continue;
    }
    const isOpen = isTold && clearFor + elapsed < clearSpan;
    const isBreak = needed === undefined && !isUnknown(key);
    const isWaiting = needed !== undefined || heldFor !== undefined;
    const episode = {
      heldFor: isWaiting && !isBreak ? held : undefined,
      clearFor: isOpen ? clearFor + elapsed : 0,
      isTold: isOpen,
    };
    if (isOpen || episode.heldFor !== undefined) next.set(key, episode);
  }
  return { episodes: { at: now, byKey: next }, told };
}

/** Stores the told episodes of one service, so that the next start doesn't tell them again. */
export interface EpisodesKeeper {
  read(): unknown;
  /** Resolves when the file holds this value or a later one. */
  write(stored: unknown): Promise<void>;
}

/** An episode as it is stored: its key, its time and the times of {@link Episode}, all in ms. */
export type StoredEpisode = readonly [key: string, at: number, heldFor: number, clearFor: number];

/**
 * Milliseconds for which an episode is remembered while nothing watches. After that it may have been
 * another one, and a person who has not looked for so long is told again.
 */
const rememberedSpan = 3_600_000;

/** Most episodes that are stored. */
const mostEpisodes = 1000;

/** Returns the episodes that were stored a short time before; what an earlier version stored is left out. */
export function readEpisodes(stored: unknown, now: number): readonly StoredEpisode[] {
  return listOf(stored).flatMap((entry) => {
    const [key, at, heldFor, clearFor] = listOf(entry);
    if (typeof key !== 'string' || !isTime(at) || !isTime(heldFor) || !isTime(clearFor)) return [];
    const isRecent = now >= at && now - at < rememberedSpan;
    return isRecent ? [[key, at, heldFor, clearFor] as const] : [];
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

/**
 * Returns what to store: the told episodes, and those that another watch has stored.
 * @param own keys that this watch has stored before, whose episodes may have ended.
 */
export function storedEpisodes(
  before: unknown,
  byKey: ReadonlyMap<string, Episode>,
  own: ReadonlySet<string>,
  now: number,
): readonly StoredEpisode[] {
  const told = [...byKey].filter(([, { isTold }]) => isTold);
  const others = readEpisodes(before, now).filter(([key]) => !own.has(key) && !byKey.has(key));
  const entries = told.map(
    ([key, { heldFor, clearFor }]) => [key, now, heldFor ?? 0, clearFor] as const,
  );
  return [...others, ...entries].slice(-mostEpisodes);
}

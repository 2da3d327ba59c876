/** Remembers told episodes beyond the end of the program, so that its next start does not tell them again. */
import { ownProperty } from '../log/stored/stored-line.ts';
import { conditionKey, type ConditionKey, parseConditionKey } from './condition-key.ts';
import type { Episode } from './episodes.ts';
import type { AlertRule } from './rule.ts';

/** Stores the episodes of one service. */
export interface EpisodesKeeper {
  read(): unknown;
  write(stored: unknown): void;
}

/** An episode as it is stored: by the text of its rule, because a person may change their order. */
interface StoredEpisode extends Episode {
  readonly kind: ConditionKey['source'];
  readonly when: string;
  /** Id of the deployment or the grant; empty for the service. */
  readonly id: string;
  /** Time at which it was stored, ms since the epoch. */
  readonly at: number;
}

/**
 * Milliseconds for which an episode is remembered while nothing watches. After that it may have been
 * another one, and a person who has not looked for so long is told again.
 */
const rememberedSpan = 3_600_000;

/** Most episodes that are stored. */
const mostEpisodes = 1000;

/** Returns the episodes of these rules that were stored a short time before. */
export function readEpisodes(
  stored: unknown,
  rules: readonly AlertRule[],
  now: number,
): ReadonlyMap<string, Episode> {
  return new Map(
    readAll(stored, now).flatMap(({ kind, when, id, isTold, clearFor }) =>
      // Rules with one text may be about different deployments.
      Array.from(rules.entries()).flatMap(([index, rule]) =>
        rule.when === when
          ? [[conditionKey({ source: kind, rule: index, id }), { isTold, clearFor }] as const]
          : [],
      ),
    ),
  );
}

/** Returns what to store: these episodes, and those that another watch has stored of other rules. */
export function storedEpisodes(
  before: unknown,
  byKey: ReadonlyMap<string, Episode>,
  rules: readonly AlertRule[],
  now: number,
): readonly StoredEpisode[] {
  const others = readAll(before, now).filter(({ when }) => !rules.some((one) => one.when === when));
  const own = Array.from(byKey).flatMap(([key, { isTold, clearFor }]): readonly StoredEpisode[] => {
    const { source, rule: index, id } = parseConditionKey(key);
    const rule = rules[index];
    if (rule === undefined) return [];
    return [{ kind: source, when: rule.when, id, isTold, clearFor, at: now }];
  });
  return [...others, ...own].slice(-mostEpisodes);
}

function readAll(stored: unknown, now: number): readonly StoredEpisode[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((value: unknown) => {
    const episode = readOne(value);
    const age = now - (episode?.at ?? Number.NEGATIVE_INFINITY);
    return episode !== undefined && age >= 0 && age < rememberedSpan ? [episode] : [];
  });
}

function readOne(value: unknown): StoredEpisode | undefined {
  const textOf = (key: string): string | undefined => {
    const text = ownProperty(value, key);
    return typeof text === 'string' ? text : undefined;
  };
  const numberOf = (key: string): number | undefined => {
    const number = ownProperty(value, key);
    return typeof number === 'number' && number >= 0 ? number : undefined;
  };
  const [kind, when, id] = [textOf('kind'), textOf('when'), textOf('id')];
  const [clearFor, at] = [numberOf('clearFor'), numberOf('at')];
  if (kind === undefined || when === undefined || id === undefined) return undefined;
  if (clearFor === undefined || at === undefined) return undefined;
  return {
    kind: kind as ConditionKey['source'],
    when,
    id,
    clearFor,
    at,
    isTold: ownProperty(value, 'isTold') === true,
  };
}

import type { LineMatcher } from '../../../tail/query/log-query.ts';
import { bisect } from '../../../tail/arena/bisect.ts';
import type { Guard } from '../../time/clock.ts';
import type { PinnedEntries } from './pinned.ts';
import { matchEntries, type NamesOf } from './match-entries.ts';

/** Matches in the order of their `seq`. */
export interface SeqList {
  readonly length: number;
  at(index: number): number | undefined;
  /** Returns the number of matches below `seq`. */
  rank(seq: number): number;
}

/** Returns a function that puts the matches among dropped but pinned entries before all others. */
export function createPinnedMatches({
  pinned,
  guard,
  namesOf,
}: {
  readonly pinned?: Pick<PinnedEntries, 'dropped'> | undefined;
  readonly guard: Guard;
  readonly namesOf?: NamesOf | undefined;
}): (test: LineMatcher | undefined, rest: SeqList) => SeqList {
  let cacheKey: readonly unknown[] = [];
  let seqs: readonly number[] = [];

  return (test, rest) => {
    if (test === undefined || pinned === undefined) return rest;
    const { held, count } = pinned.dropped();
    if (count === 0) return rest;
    if (cacheKey[0] !== held || cacheKey[1] !== test) {
      cacheKey = [held, test];
      seqs = [...matchEntries(held, test, guard, namesOf)].map(({ seq }) => seq);
    }
    const rankOf = (seq: number): number => bisect(seqs.length, (at) => (seqs[at] ?? seq) < seq);
    const pinnedCount = rankOf(held[count]?.seq ?? Number.POSITIVE_INFINITY);
    return {
      length: pinnedCount + rest.length,
      at: (index) => (index < pinnedCount ? seqs[index] : rest.at(index - pinnedCount)),
      rank: (seq) => Math.min(pinnedCount, rankOf(seq)) + rest.rank(seq),
    };
  };
}

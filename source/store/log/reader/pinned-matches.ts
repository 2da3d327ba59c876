import type { LineTest } from '../../../tail/query/log-query.ts';
import { bisect } from '../../../tail/arena/bisect.ts';
import type { Guard } from '../../time/clock.ts';
import type { PinnedEntries } from './pinned.ts';
import { matchEntries } from './match-entries.ts';

/** Matches in the order of their `seq`. */
export interface FoundSeqs {
  readonly length: number;
  at(index: number): number | undefined;
  /** How many are below `seq`. */
  rank(seq: number): number;
}

/**
 * The matches of a test among what is held of a log although memory has dropped it, and behind them
 * those of the log itself.
 */
export function createPinnedMatches(
  pinned: Pick<PinnedEntries, 'dropped'> | undefined,
  guard: Guard,
): (test: LineTest | undefined, rest: FoundSeqs) => FoundSeqs {
  let of: readonly unknown[] = [];
  let seqs: readonly number[] = [];

  return (test, rest) => {
    if (test === undefined || pinned === undefined) return rest;
    const { held, count } = pinned.dropped();
    if (count === 0) return rest;
    if (of[0] !== held || of[1] !== test) {
      of = [held, test];
      seqs = [...matchEntries(held, test, guard)].map(({ seq }) => seq);
    }
    const below = (seq: number): number => bisect(seqs.length, (at) => (seqs[at] ?? seq) < seq);
    const own = below(held[count]?.seq ?? Number.POSITIVE_INFINITY);
    return {
      length: own + rest.length,
      at: (index) => (index < own ? seqs[index] : rest.at(index - own)),
      rank: (seq) => Math.min(own, below(seq)) + rest.rank(seq),
    };
  };
}

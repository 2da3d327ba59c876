/** Searches lines that memory has no room for: they are read, tested and forgotten. */
import type { LogLine } from '../../../contract/logs.ts';
import type { Entry } from '../../../tail/arena/entries.ts';
import { findTime } from '../../../tail/arena/time-search.ts';
import { type LineQuery, parseLineQuery } from '../../../tail/query/log-query.ts';
import { leadingTerm } from '../../../tail/query/query-terms.ts';
import { type Clock, unbounded } from '../../time/clock.ts';
import type { WalkProgress, PastWalkResult } from '../feed/past-walk.ts';
import type { Tail } from '../tail.ts';
import { matchEntries } from './match-entries.ts';
import { waitForFilter } from './filter-end.ts';

/** Most requests of one step, before and after the service's own search is tried. */
const firstRequests = 10;
const laterRequests = 15;

/** A condition of the wanted lines, beside the filters of the log. */
export interface WantedLines {
  /** Identifies the condition. */
  readonly key: string;
  /** Returns the entries that are wanted. */
  readonly pick: (entries: readonly Entry<LogLine>[]) => readonly Entry<LogLine>[];
  /** Text that is in every wanted line, in any case. */
  readonly hint?: string | undefined;
}

/** The result of a walk; `hinted` when the service's own search has found the line. */
export interface OlderWalk extends Omit<PastWalkResult, 'end'> {
  readonly end: PastWalkResult['end'] | 'hinted';
}

/** Returns the condition of a search. */
export function linesOfSearch(query: LineQuery, clock: Clock): WantedLines | undefined {
  const parsed = parseLineQuery(query);
  if (!parsed.ok) return undefined;
  const guard = clock.guard ?? unbounded;
  const { text, regex } = query;
  const isText = !regex && leadingTerm(text) === undefined && !/^[!\\]/.test(text);
  return {
    key: JSON.stringify([text, regex]),
    pick: (entries) => [...matchEntries(entries, parsed.value, guard)],
    hint: isText ? text : undefined,
  };
}

/**
 * Reads lines before the oldest loaded one until a line is wanted that the filters show. The page with
 * it is loaded then, and searched by the filters.
 */
export async function walkOlder(
  tail: Pick<Tail, 'log' | 'filter'>,
  wanted: WantedLines,
  options: {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: WalkProgress) => void;
  },
): Promise<OlderWalk> {
  const { log, filter } = tail;
  const { signal } = options;
  const walk = {
    ...options,
    key: JSON.stringify([wanted.key, filterKey(tail)]),
    hint: wanted.hint,
    requests: laterRequests,
    wanted(lines: readonly LogLine[], member?: number): readonly LogLine[] {
      const entries = lines.map(
        (line, seq): Entry<LogLine> => ({ kind: 'line', seq, place: 0, line, member }),
      );
      return wanted
        .pick(filter.matchEntries(entries))
        .flatMap((entry) => (entry.kind === 'line' ? [entry.line] : []));
    },
  };
  const first = await log.walkOlder({ ...walk, requests: firstRequests });
  if (first.end !== 'stopped') return loaded(tail, first, signal);
  const oldest = first.reached ?? findTime(log.entries, 0);
  const time = oldest === undefined ? undefined : await log.hintedTime(oldest, walk);
  if (time !== undefined) {
    const results = await log.readTime({ time, signal, onProgress: () => {} });
    const isRead = results.some(({ end }) => end === 'found' || end === 'begins');
    if (isRead) return loaded(tail, { ...first, end: 'hinted' }, signal);
  }
  if (signal.aborted) return { ...first, end: 'aborted' };
  return loaded(tail, await log.walkOlder(walk), signal);
}

/** Waits until the filters have scanned the page that was loaded. */
async function loaded(
  { filter }: Pick<Tail, 'filter'>,
  result: OlderWalk,
  signal: AbortSignal,
): Promise<OlderWalk> {
  if (result.end !== 'found' && result.end !== 'hinted') return result;
  const end = await waitForFilter(filter, signal);
  return end === 'cancelled' ? { ...result, end: 'aborted' } : result;
}

function filterKey({ filter }: Pick<Tail, 'filter'>): unknown {
  const { active, services, members } = filter.state.getState();
  return [active ?? [], services && [...services], members && [...members]];
}

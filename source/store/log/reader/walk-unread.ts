/** Searches lines that are not loaded: they are read, tested and forgotten. */
import type { LogLine } from '../../../contract/logs.ts';
import type { Entry, GapEntry } from '../../../tail/arena/entries.ts';
import { rowTime, toRow } from '../../../tail/arena/row.ts';
import { findTime } from '../../../tail/arena/time-search.ts';
import { type LineQuery, parseLineQuery } from '../../../tail/query/log-query.ts';
import { leadingTerm } from '../../../tail/query/query-terms.ts';
import { type Clock, unbounded } from '../../time/clock.ts';
import type { PastWalk, PastWalkResult, WalkProgress } from '../feed/past-walk.ts';
import type { WalkSide } from '../feed/walk-path.ts';
import type { Tail } from '../tail.ts';
import { matchEntries, type NamesOf } from './match-entries.ts';
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
export interface UnreadWalk extends Omit<PastWalkResult, 'end'> {
  readonly end: PastWalkResult['end'] | 'hinted';
}

/** Returns the condition of a search. */
export function linesOfSearch(
  query: LineQuery,
  clock: Clock,
  namesOf: NamesOf,
): WantedLines | undefined {
  const parsed = parseLineQuery(query);
  if (!parsed.ok) return undefined;
  const guard = clock.guard ?? unbounded;
  const { text, regex } = query;
  const isText = !regex && leadingTerm(text) === undefined && !/^[!\\]/.test(text);
  return {
    key: JSON.stringify([text, regex]),
    pick: (entries) => [...matchEntries(entries, parsed.value, guard, namesOf)],
    hint: isText ? text : undefined,
  };
}

/** An unread gap, and the direction in which it is searched. */
export interface GapWalk {
  readonly gap: GapEntry<LogLine>;
  readonly side: WalkSide;
}

/**
 * Reads lines before the oldest loaded one, or those of a gap, until a line is wanted that the filters
 * show. The page with it is loaded then, and searched by the filters.
 */
export async function walkUnread(
  tail: Pick<Tail, 'log' | 'filter'>,
  wanted: WantedLines,
  options: {
    /** Default: the lines before the oldest loaded one. */
    readonly through?: GapWalk | undefined;
    readonly signal: AbortSignal;
    readonly onProgress: (progress: WalkProgress) => void;
  },
): Promise<UnreadWalk> {
  const { log, filter } = tail;
  const { signal, through, onProgress } = options;
  const walk = {
    signal,
    onProgress,
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
  const walkOn = (requests: number): Promise<PastWalkResult> =>
    through === undefined
      ? log.walkOlder({ ...walk, requests })
      : log.walkGap(through.gap, through.side, { ...walk, requests });
  const first = await walkOn(firstRequests);
  if (first.end !== 'stopped') return loaded(tail, first, signal);
  const time = await nearestHint(tail, walk, first, through);
  if (time !== undefined) {
    const results = await log.readTime({ time, signal, onProgress: () => {} });
    const isRead = results.some(({ end }) => end === 'found' || end === 'begins');
    if (isRead) return loaded(tail, { ...first, end: 'hinted' }, signal);
  }
  if (signal.aborted) return { ...first, end: 'aborted' };
  return loaded(tail, await walkOn(laterRequests), signal);
}

/** Resolves to the time of a wanted line that the service's own search finds on the way. */
async function nearestHint(
  { log }: Pick<Tail, 'log'>,
  walk: PastWalk,
  { reached }: PastWalkResult,
  through: GapWalk | undefined,
): Promise<number | undefined> {
  if (through?.side === 'newer') return undefined;
  const oldest = reached ?? findTime(log.entries, 0);
  const time = oldest === undefined ? undefined : await log.hintedTime(oldest, walk);
  if (time === undefined || through === undefined) return time;
  const { after } = through.gap;
  const start = after && rowTime(toRow(after));
  return start === undefined || time > start ? time : undefined;
}

/** Waits until the filters have scanned the page that was loaded. */
async function loaded(
  { filter }: Pick<Tail, 'filter'>,
  result: UnreadWalk,
  signal: AbortSignal,
): Promise<UnreadWalk> {
  if (result.end !== 'found' && result.end !== 'hinted') return result;
  const end = await waitForFilter(filter, signal);
  return end === 'cancelled' ? { ...result, end: 'aborted' } : result;
}

function filterKey({ filter }: Pick<Tail, 'filter'>): unknown {
  const { active, services, members } = filter.state.getState();
  return [active ?? [], services && [...services], members && [...members]];
}

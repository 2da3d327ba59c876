/** Seeks a line from a place of the log: walks through the lines at hand, then through pages. */
import type { ServiceError } from '../../../client/http/errors.ts';
import type { LogLine } from '../../../contract/logs.ts';
import {
  type Entries,
  type Entry,
  type GapEntry,
  indexAfter,
  seqAt,
} from '../../../tail/arena/entries.ts';
import { rowTime, toRow } from '../../../tail/arena/row.ts';
import { findTime } from '../../../tail/arena/time-search.ts';
import { isUnread } from '../../../tail/log/time-walk.ts';
import type { LineMatcher } from '../../../tail/query/log-query.ts';
import { type Clock, turnOf } from '../../time/clock.ts';
import type { LogSource } from '../feed/log-source.ts';
import type { PageWalk, WalkSide } from '../feed/page-walk.ts';
import type { Tail } from '../tail.ts';
import { waitForFilter } from './filter.ts';
import { LineScanner, type ScanPass } from './scan.ts';
import { cursorSeq } from './view.ts';

/** The result of a step among the lines at hand; `cancelled` when the reader has moved meanwhile. */
export type StepEnd = 'none' | 'moved' | 'cancelled';

/** The wanted lines, beside the filters of the log. */
export interface SeekTest {
  /** Identifies the wanted lines: a seek for the same goes on where the last one stopped. */
  readonly key: string;
  /** Returns the entries that are wanted. */
  readonly pick: (entries: readonly Entry<LogLine>[]) => readonly Entry<LogLine>[];
  /** Text that is in every wanted line, in any case. */
  readonly hint?: string | undefined;
  /**
   * Moves the cursor to the nearest wanted line at hand.
   * @param from `seq` of the place from which it is looked for; undefined for the end of the log.
   * @param until `seq` of the gap before which it must be; undefined for the end of the lines.
   */
  readonly step: (from: number | undefined, until: number | undefined) => Promise<StepEnd>;
}

/** The progress of a seek: lines at hand, or unknown lines read so far and the time of the last one. */
export type SeekProgress =
  | { readonly kind: 'loaded'; readonly lines: number }
  | ({ readonly kind: 'read' } & WalkProgress);

interface WalkProgress {
  readonly lines: number;
  /** In ms since the epoch; undefined while no line has a time. */
  readonly reached: number | undefined;
}

export interface SeekWork {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: SeekProgress) => void;
}

/**
 * The result of a seek. `hinted`: the service's own search has found the line. `read`: all lines of the path
 * were read, and none is wanted. `paused`: after many lines that were loaded; `stopped`: after the most
 * requests. `unloaded`: older lines could not be loaded; `failed`: a page could not be read.
 */
export interface SeekEnd {
  readonly end: StepEnd | 'hinted' | 'read' | 'paused' | 'stopped' | 'unloaded' | 'failed';
  /** The unknown lines that were read. */
  readonly walked: WalkProgress;
  readonly error?: ServiceError | undefined;
}

const noLines: WalkProgress = { lines: 0, reached: undefined };

/** Lines loaded at most before a seek stops and waits for another key. */
export const maxSearchedLines = 200_000;

/** Most requests of one seek, before and after the service's own search is tried. */
const firstRequests = 10;
const laterRequests = 15;

type SeekTail = Pick<Tail, 'log' | 'filter' | 'entries' | 'view'>;

/**
 * Moves the cursor to the nearest wanted line: through the lines at hand and the unread gaps between them,
 * then through older lines, which are loaded while memory has room for them.
 */
export async function seek(
  tail: SeekTail,
  side: WalkSide,
  test: SeekTest,
  work: SeekWork,
): Promise<SeekEnd> {
  const { log, entries } = tail;
  let from = cursorSeq(tail.view.position.getState());
  for (;;) {
    const gap = nearestUnreadGap(tail, from, side);
    const end = await test.step(from, gap?.seq);
    if (end !== 'none') return { end, walked: noLines };
    if (gap === undefined) break;
    const walked = await readUnread(tail, side, test, work, { gap, from });
    if (walked.end !== 'read') return walked;
    from = gap.seq;
  }
  if (side === 'newer') return { end: 'none', walked: noLines };
  const { length } = log.entries;
  for (;;) {
    if (log.entries.length - length >= maxSearchedLines) return { end: 'paused', walked: noLines };
    const { older } = log.state.getState();
    if (older === 'more' || older === 'loading')
      work.onProgress({ kind: 'loaded', lines: log.entries.length });
    const oldest = seqAt(entries, 0);
    const result = await fetchOlderLines(log, work.clock, work.signal);
    if (result === 'full')
      return readUnread(tail, side, test, work, { gap: undefined, from: oldest });
    const end = result === 'grown' ? await test.step(oldest, undefined) : olderEnds[result];
    if (end !== 'none' || result !== 'grown') return { end, walked: noLines };
  }
}

const olderEnds = { none: 'none', failed: 'unloaded', left: 'cancelled' } as const;

/**
 * Reads lines that are not loaded until one is wanted that the filters show, and moves the cursor there. The
 * other lines are forgotten.
 * @param path the gap to read, or else the lines before the oldest one at hand; `from` is where the step
 * begins.
 */
export async function readUnread(
  tail: SeekTail,
  side: WalkSide,
  test: SeekTest,
  work: SeekWork,
  path: { readonly gap: GapEntry<LogLine> | undefined; readonly from: number | undefined },
): Promise<SeekEnd> {
  const { log, filter } = tail;
  const { active, services, members } = filter.state.getState();
  const key = [test.key, active ?? [], services && [...services], members && [...members]];
  const walk = log.walk({ key: JSON.stringify(key), side, gap: path.gap });
  if (walk === undefined) return { end: 'read', walked: noLines };
  const pick = (lines: readonly LogLine[]): readonly LogLine[] => {
    const { member } = walk;
    const shown = filter.matchEntries(
      lines.map((line, seq): Entry<LogLine> => ({ kind: 'line', seq, place: 0, line, member })),
    );
    return test.pick(shown).flatMap((entry) => (entry.kind === 'line' ? [entry.line] : []));
  };
  const ended = ({ end, error }: WalkEnd): SeekEnd => ({ end, error, walked: progressOf(walk) });
  let last = await readOn(walk, pick, firstRequests, work);
  if (last.end === 'stopped' && test.hint !== undefined) {
    const time = await nearestHint(tail, walk, test.hint, pick, work.signal);
    if (time !== undefined && (await readHint(tail, time, work.signal))) last = { end: 'hinted' };
  }
  if (work.signal.aborted) return ended({ end: 'cancelled' });
  if (last.end === 'stopped') last = await readOn(walk, pick, laterRequests, work);
  if (last.end !== 'moved' && last.end !== 'hinted') return ended(last);
  // The filters scan the page that was loaded.
  if ((await waitForFilter(filter, work.signal)) === 'cancelled')
    return ended({ end: 'cancelled' });
  // The walk may have left a gap between the place and the page; its lines are known to be others.
  const first = nearestUnreadGap(tail, path.from, side);
  const until = first && nearestUnreadGap(tail, first.seq, side);
  const end = await test.step(path.from, until?.seq);
  return ended(end === 'cancelled' ? { end } : last);
}

type WalkEnd = Pick<SeekEnd, 'end' | 'error'>;

function progressOf({ lines, reached }: PageWalk): WalkProgress {
  return { lines, reached };
}

/** Reads pages until one has a wanted line, which is loaded. */
async function readOn(
  walk: PageWalk,
  pick: (lines: readonly LogLine[]) => readonly LogLine[],
  requests: number,
  { signal, onProgress }: SeekWork,
): Promise<WalkEnd> {
  for (let count = 0; count < requests; count += 1) {
    onProgress({ kind: 'read', ...progressOf(walk) });
    const answer = await walk.next(signal);
    if (!answer.ok)
      return answer.error === undefined
        ? { end: 'cancelled' }
        : { end: 'failed', error: answer.error };
    const lines = answer.rows.map(({ line }) => line);
    if (lines.length > 0 && pick(lines).length > 0) {
      walk.joining()();
      return { end: 'moved' };
    }
    if (walk.isOver) return { end: 'read' };
  }
  return { end: 'stopped' };
}

/** Resolves to the time of a wanted line that the service's own search finds on the way. */
async function nearestHint(
  { log }: Pick<Tail, 'log'>,
  { reached, ends }: PageWalk,
  text: string,
  pick: (lines: readonly LogLine[]) => readonly LogLine[],
  signal: AbortSignal,
): Promise<number | undefined> {
  const before = reached ?? findTime(log.entries, 0);
  if (before === undefined || ends.side === 'newer') return undefined;
  const time = await log.hintedTime({ before, text, pick, signal });
  const start = ends.older?.kind === 'line' ? rowTime(toRow(ends.older.line)) : undefined;
  return time === undefined || start === undefined || time > start ? time : undefined;
}

/** Loads the page of a line that the service's own search has found. */
async function readHint({ log }: Pick<Tail, 'log'>, time: number, signal: AbortSignal) {
  const results = await log.readTime({ time, isHint: true, signal, onProgress: () => {} });
  return results.some(({ end }) => end === 'found' || end === 'begins');
}

/**
 * Returns the nearest gap of unread lines on one side of a place; undefined without one.
 * @param from `seq` of the place; undefined for the end of the log.
 */
export function nearestUnreadGap(
  { entries: { gaps } }: Pick<Tail, 'entries'>,
  from: number | undefined,
  side: WalkSide,
): GapEntry<LogLine> | undefined {
  const start = from ?? Number.POSITIVE_INFINITY;
  return side === 'older'
    ? gaps.findLast((gap) => isUnread(gap) && gap.seq < start)
    : gaps.find((gap) => isUnread(gap) && gap.seq > start);
}

/**
 * Outcome of a request for older lines: lines were added, there are none, memory is full, or the
 * request failed. `left`: the log was closed, or the request was aborted.
 */
export type OlderResult = 'grown' | 'none' | 'full' | 'failed' | 'left';

/** Lines that are loaded at once. */
const olderLines = 5000;

/** Milliseconds without a new line after which the request has failed. */
const timeLimit = 20_000;

/**
 * Calls `action` when a request for older lines times out. While the log is connected and still
 * loading, the wait goes on, because the log itself gives up such a request.
 * @returns a function that cancels the call.
 */
function onOlderTimeout(
  log: Pick<LogSource, 'state'>,
  clock: Clock,
  action: () => void,
): () => void {
  let cancel = (): void => {};
  const wait = (): void => {
    cancel = clock.after(timeLimit, () => {
      const { older, ready, connection } = log.state.getState();
      const isConnected = connection.kind === 'live' || connection.kind === 'polling';
      if (isConnected && (!ready || older === 'loading')) wait();
      else action();
    });
  };
  wait();
  return () => cancel();
}

/** Fetches some lines that are older than all loaded ones. */
export function fetchOlderLines(
  log: Pick<LogSource, 'entries' | 'state' | 'olderWanted'>,
  clock: Clock,
  signal: AbortSignal,
  lines = olderLines,
): Promise<OlderResult> {
  const { epoch, length } = log.entries;
  const before = seqAt(log.entries, 0) ?? Number.POSITIVE_INFINITY;
  const newest = seqAt(log.entries, length - 1) ?? Number.POSITIVE_INFINITY;
  // Lines may come behind the first one, into a gap. If the first line is newer than before, memory has
  // dropped the lines before it.
  const isGrown = (): boolean =>
    log.entries.epoch !== epoch ||
    (seqAt(log.entries, 0) ?? before) < before ||
    (length > 0 && log.entries.indexOf(newest) >= length);
  const current = log.state.getState().older;
  if (signal.aborted) return Promise.resolve('left');
  if (current === 'none' || current === 'full') return Promise.resolve(current);
  return new Promise((resolve) => {
    let wasLoading = false;
    /** False while an earlier request for other lines is still loading. */
    let isRequested = false;
    const request = (): void => {
      isRequested = log.olderWanted(lines);
      wasLoading = !isRequested;
    };
    const check = (): void => {
      const { older, connection } = log.state.getState();
      if (connection.kind === 'stopped' && connection.error === undefined) finish('left');
      // One page is enough, even if more is still loading.
      else if (isGrown()) finish('grown');
      else if (older === 'loading') wasLoading = true;
      else if (older !== 'more') finish(older);
      else if (wasLoading && isRequested) finish('failed');
      else if (wasLoading) request();
    };
    const cancel = () => finish('left');
    const unsubscribes = [
      log.state.subscribe(check),
      onOlderTimeout(log, clock, () => finish('failed')),
      () => signal.removeEventListener('abort', cancel),
    ];
    const finish = (reason: OlderResult): void => {
      for (const stop of unsubscribes) stop();
      resolve(reason);
    };
    signal.addEventListener('abort', cancel);
    request();
  });
}

/** Milliseconds of work between which key presses are handled. */
const sliceTime = 4;

/** The way through the lines at hand to the nearest one that passes a test. */
export interface NearestLineOptions {
  readonly entries: Entries<LogLine>;
  /** `seq` of the entry next to which the scan starts; undefined for the end of the log. */
  readonly from: number | undefined;
  readonly side: WalkSide;
  readonly test: LineMatcher;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called after each slice with the number of lines scanned so far. */
  readonly onSlice: (count: number) => void;
}

/** Resolves to the `seq` of the nearest line that passes a cheap test; undefined without one, or once aborted. */
export async function findNearestLine(options: NearestLineOptions): Promise<number | undefined> {
  const { entries, from, side, test, clock, signal, onSlice } = options;
  const scanner = new LineScanner({ entries, clock });
  const isNewer = side === 'newer';
  let boundary = from ?? Number.POSITIVE_INFINITY;
  for (let count = 0; ; ) {
    const end = clock.now() + sliceTime;
    do {
      const pass: ScanPass = isNewer
        ? { part: 'newer', from: indexAfter(entries, boundary), to: entries.length }
        : { part: 'older', from: 0, to: entries.indexOf(boundary) };
      if (signal.aborted || pass.from >= pass.to) return undefined;
      const scan = scanner.scan(test, pass);
      if (scan.kind === 'too-slow') return undefined;
      const found = isNewer ? scan.seqs[0] : scan.seqs.at(-1);
      if (found !== undefined) return found;
      count += scan.to - scan.from;
      boundary = seqAt(entries, isNewer ? scan.to - 1 : scan.from) ?? boundary;
    } while (clock.now() < end);
    onSlice(count);
    await turnOf(clock);
  }
}

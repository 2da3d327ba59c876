/** Steps to the nearest match, error or shown line, also through lines that are not loaded. */
import type { LogLine } from '../../../contract/logs.ts';
import type { Deck } from '../../../store/deck/deck.ts';
import type { WalkSide } from '../../../store/log/feed/page-walk.ts';
import { pastPageSize } from '../../../store/log/feed/page-walk.ts';
import { waitForFilter } from '../../../store/log/reader/filter.ts';
import { matchEntries } from '../../../store/log/reader/scan.ts';
import type { LogSearch, SearchDirection } from '../../../store/log/reader/search.ts';
import { reportWhenSlow } from '../../../store/log/reader/running-seek.ts';
import {
  findNearestLine,
  maxSearchedLines,
  readUnread,
  seek,
  type SeekEnd,
  type SeekProgress,
  type SeekTest,
  type SeekWork,
  type StepEnd,
} from '../../../store/log/reader/seek.ts';
import type { Tail } from '../../../store/log/tail.ts';
import { isUtcFormat, momentText } from '../../../store/log/times.ts';
import { keyName } from '../../../store/prompts/key-names.ts';
import type { Entry } from '../../../tail/arena/entries.ts';
import { type LineMatcher, parseLineQuery } from '../../../tail/query/log-query.ts';
import { leadingTerm } from '../../../tail/query/query-terms.ts';
import type { PaneViewport } from '../../command/action.ts';
import { formatCount } from '../../text/amount.ts';
import { logCursor, revealLine } from '../place.ts';
import { clearStepMessage } from './step-message.ts';

type Handles = Pick<Deck, 'clock' | 'screen' | 'messages'>;

/** The words about a seek: the line that is wanted, and the key that goes on with it. */
interface SeekWords {
  readonly kind: 'error' | 'match' | 'line';
  readonly key: string;
  readonly side: WalkSide;
  /** True when the whole log was searched, rather than what lies on one side. */
  readonly isWhole?: boolean;
}

/** Milliseconds after which a scan of the lines at hand reports its progress. */
const progressDelay = 300;

/**
 * Moves the cursor to the nearest newer or older error. A followed log is searched upwards from its
 * newest line.
 */
export function goToError(
  deck: Handles & Pick<Deck, 'opened'>,
  step: 1 | -1,
  { rows }: PaneViewport,
): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return;
  const start = logCursor(tail);
  const side = start !== undefined && step > 0 ? 'newer' : 'older';
  const key =
    side === 'newer' ? keyName('log.next-error', 'e') : keyName('log.previous-error', 'E');
  const work = beginWork(deck, tail, side);
  const errors = parseLineQuery({ text: 'level:error', regex: false });
  if (!errors.ok) return;
  const test: SeekTest = {
    key: 'error',
    pick: (entries) => [...matchEntries(entries, errors.value, deck.clock)],
    async step(from, until) {
      const seq = await nearestError(tail, side, from, errors.value, work);
      if (seq === 'cancelled') return seq;
      const isBehind =
        seq !== undefined && until !== undefined && (side === 'older' ? seq < until : seq > until);
      if (seq === undefined || isBehind) return 'none';
      clearStepMessage(deck);
      revealLine(tail, seq, rows);
      return 'moved';
    },
  };
  const run = async (): Promise<void> => {
    const end = await seek(tail, side, test, work);
    work.finish(end, { kind: 'error', key, side, isWhole: start === undefined });
  };
  void run();
}

/** Resolves to the nearest error at hand that the filters show. */
async function nearestError(
  tail: Tail,
  side: WalkSide,
  from: number | undefined,
  test: LineMatcher,
  work: StepWork,
): Promise<number | undefined | 'cancelled'> {
  const { filter, entries } = tail;
  for (;;) {
    const isFiltered = filter.isDone();
    const seq = await findNearestLine({
      entries,
      from,
      side,
      test,
      clock: work.clock,
      signal: work.signal,
      onSlice: work.onScan,
    });
    if (work.signal.aborted) return 'cancelled';
    // A filter that has not tested all lines may show another error.
    if (seq !== undefined || (isFiltered && filter.isDone())) return seq;
    if ((await waitForFilter(filter, work.signal)) !== 'done') {
      work.end();
      return 'cancelled';
    }
  }
}

/** Moves the cursor to the nearest match of the search. */
export async function seekMatch(deck: Handles, tail: Tail, side: SearchDirection): Promise<void> {
  const { search } = tail;
  const { query } = search.state.getState();
  const parsed = query === undefined ? undefined : parseLineQuery(query);
  if (query === undefined || parsed?.ok !== true) return;
  const { text, regex } = query;
  const isText = !regex && leadingTerm(text) === undefined && !/^[!\\]/.test(text);
  const work = beginWork(deck, tail, side);
  const end = await seek(
    tail,
    side,
    {
      key: JSON.stringify([text, regex]),
      pick: (entries) => [...matchEntries(entries, parsed.value, deck.clock, tail.namesOf)],
      hint: isText ? text : undefined,
      step: (_, until) => stepToMatch(search, side, until),
    },
    work,
  );
  const key = side === 'older' ? keyName('log.older-match', 'N') : keyName('log.newer-match', 'n');
  const { older, newer, at } = search.state.getState();
  const isNowhere = end.end === 'none' && older + newer === 0 && at === undefined;
  const isWhole = isNowhere && (side === 'older' || tail.log.state.getState().older === 'none');
  if (!isNowhere || isWhole) return work.finish(end, { kind: 'match', key, side, isWhole });
  work.end();
  const olderKey = keyName('log.older-match', 'N');
  return deck.messages.say(`No match is loaded. ${olderKey} searches older lines.`);
}

/** Steps to the nearest match before a gap. Resolves to `cancelled` when the search was cancelled. */
function stepToMatch(
  search: LogSearch,
  direction: SearchDirection,
  gap: number | undefined,
): Promise<StepEnd> {
  const { query, jumps } = search.state.getState();
  const step = search.next(direction, gap);
  if (step !== 'looking') return Promise.resolve(step);
  return new Promise((resolve) => {
    const stop = search.state.subscribe((now) => {
      if (now.query === query && now.looking !== undefined) return;
      stop();
      if (now.query === query && now.missed === direction) resolve('none');
      else resolve(now.query === query && now.jumps > jumps ? 'moved' : 'cancelled');
    });
  });
}

/** Logs of which lines that the filters show are being read. */
const readLogs = new WeakSet<Tail>();

/** Returns whether {@link readOlderShown} reads lines of a log. */
export function isReadingOlder(tail: Tail): boolean {
  return readLogs.has(tail);
}

/** Reads lines that memory has no room for until the filters show one, and moves the cursor there. */
export async function readOlderShown(deck: Handles, tail: Tail): Promise<void> {
  if (readLogs.has(tail)) return;
  readLogs.add(tail);
  const first = tail.entries.at(0);
  const work = beginWork(deck, tail, 'older');
  const test: SeekTest = {
    key: 'shown',
    pick: (entries) => entries,
    step() {
      readLogs.delete(tail);
      goToLineBefore(tail, first);
      return Promise.resolve('moved');
    },
  };
  const end = await readUnread(tail, 'older', test, work, { gap: undefined, from: first?.seq });
  readLogs.delete(tail);
  work.finish(end, { kind: 'line', key: 'Up', side: 'older' });
}

/** Moves the cursor to the nearest line before another one; gaps lie between. */
function goToLineBefore({ entries, view }: Tail, line: Entry<LogLine> | undefined): void {
  for (let index = indexOfLine(entries, line) - 1; index >= 0; index -= 1) {
    const entry = entries.at(index);
    if (entry?.kind === 'line') return view.goTo(entry.seq);
  }
  return undefined;
}

/** Returns the index of a line that may have been dropped to make room, and read again since. */
function indexOfLine(entries: Tail['entries'], line: Entry<LogLine> | undefined): number {
  if (line === undefined) return entries.length;
  const index = entries.indexOf(line.seq);
  const start = Math.max(0, index - pastPageSize);
  const near = entries.slice(start, index + pastPageSize);
  const found = near.findIndex(
    (entry) =>
      entry.kind === line.kind && entry.place === line.place && entry.member === line.member,
  );
  return found < 0 ? index : start + found;
}

/** A seek that Esc and any movement stop. */
interface StepWork extends SeekWork {
  /** Called with the number of lines at hand that were scanned. */
  readonly onScan: (count: number) => void;
  /** Ends it without a message. */
  readonly end: () => void;
  /** Ends it, and says what came of it. */
  readonly finish: (end: SeekEnd, words: SeekWords) => void;
}

/** Begins a seek, which shows its progress. */
function beginWork(deck: Handles, { reading, search }: Tail, side: WalkSide): StepWork {
  const { clock } = deck;
  const controller = new AbortController();
  const began = clock.now();
  const running = reading.seek.begin(() => {
    controller.abort();
    search.cancelPending();
  });
  let slow: typeof running | undefined;
  const searched = (count: number): void =>
    running.report(`Searched ${formatCount(count)} lines. Esc stops.`);
  const onProgress = (progress: SeekProgress): void => {
    if (progress.kind === 'loaded') return searched(progress.lines);
    slow ??= reportWhenSlow(running, clock, `Reading ${side} lines. Esc stops.`);
    if (progress.lines > 0) slow.report(`Read ${readText(deck, progress, side)}. Esc stops.`);
    return undefined;
  };
  const end = (): void => (slow ?? running).end();
  return {
    clock,
    signal: controller.signal,
    onProgress,
    onScan(count) {
      if (clock.now() - began >= progressDelay) searched(count);
    },
    end,
    finish(result, words) {
      end();
      const message = seekMessage(deck, result, words);
      if (message !== undefined) deck.messages.say(message);
    },
  };
}

/** Returns the message about a seek that found nothing, or about lines that it left out. */
function seekMessage(
  deck: Handles,
  { end, walked, error }: SeekEnd,
  { kind, key, side, isWhole = false }: SeekWords,
): string | undefined {
  const none = isWhole ? `No ${kind}` : `No ${side} ${kind}`;
  switch (end) {
    case 'none':
      return `${none}.`;
    case 'unloaded':
      return `${none} loaded. Older lines could not be fetched.`;
    case 'read':
      return `No ${side} ${kind}: all ${formatCount(walked.lines)} lines before were read.`;
    case 'paused':
      return `Stopped after ${formatCount(maxSearchedLines)} lines. ${key} continues.`;
    case 'stopped':
      return `No ${kind} in ${readText(deck, walked, side)}. ${key} reads on.`;
    case 'failed': {
      const status = error?.status === undefined ? 'no answer' : `HTTP ${error.status}`;
      return `${side === 'older' ? 'Older' : 'Newer'} lines could not be fetched: ${status}. ${key} tries again.`;
    }
    case 'hinted':
      return "Found by the service's search; lines in between were not read.";
    case 'moved':
    case 'cancelled':
      return undefined;
    default:
      return end satisfies never;
  }
}

/** Returns `12,400 older lines, back to 11:02:03`. */
function readText(
  { clock, screen }: Pick<Handles, 'clock' | 'screen'>,
  { lines, reached }: SeekEnd['walked'],
  side: WalkSide,
): string {
  const utc = isUtcFormat(screen.getState().times);
  const to = side === 'older' ? 'back to' : 'up to';
  const end = reached === undefined ? '' : `, ${to} ${momentText(reached, clock.now(), utc)}`;
  return `${formatCount(lines)} ${side} lines${end}`;
}

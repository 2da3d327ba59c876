/** Steps between the errors of the log. */
import type { LogLine } from '../../../contract/logs.ts';
import { keyName } from '../../../store/prompts/key-names.ts';
import type { Deck } from '../../../store/deck/deck.ts';
import { waitForFilter } from '../../../store/log/reader/filter-end.ts';
import { fetchOlderLines } from '../../../store/log/reader/older.ts';
import { findNearestLine } from '../../../store/log/reader/seek.ts';
import { formatCount } from '../../text/amount.ts';
import type { WantedLines } from '../../../store/log/reader/walk-unread.ts';
import { readUnread, walkMessage } from './beyond-memory.ts';
import { notFoundMessage, maxSearchedLines } from './match-step.ts';
import { logCursor, hasOlderLines, revealLine } from '../place.ts';
import { clearStepMessage } from './step-message.ts';
import { gapAfterWalk, isBehind, nearestUnreadGap } from './unread-gap.ts';
import type { PaneViewport } from '../../command/action.ts';
import type { GapEntry } from '../../../tail/arena/entries.ts';
import { levelOf } from '../../../tail/level.ts';

/** Milliseconds after which a search reports its progress. */
const progressDelay = 300;

/**
 * Moves the cursor to the nearest newer or older error. A followed log is searched upwards from its
 * newest line. Lines that are not loaded are read where the loaded ones before them contain no error.
 */
export function goToError(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'opened'>,
  step: 1 | -1,
  { rows }: PaneViewport,
): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return;
  const { clock } = deck;
  const { log, filter } = tail;
  const started = { at: clock.now(), lines: log.entries.length };
  const start = logCursor(tail);
  const direction = start === undefined ? -1 : step;
  const side = direction > 0 ? 'newer' : 'older';
  const key = direction > 0 ? keyName('log.next-error', 'e') : keyName('log.previous-error', 'E');
  const controller = new AbortController();
  const { signal } = controller;
  let cancel = (): void => {};
  const seeking = tail.reading.seek.begin(() => {
    controller.abort();
    cancel();
  });
  const finish = (sentence: string): void => {
    seeking.end();
    deck.messages.say(sentence);
  };
  const reportProgress = (count: number): void => {
    seeking.report(`Searched ${formatCount(count)} lines. Esc stops.`);
  };

  /** @param gap of unread lines that are searched before the lines behind them. */
  const scanBefore = (gap: GapEntry<LogLine> | undefined, from: number | undefined): void => {
    cancel = findNearestLine({
      entries: tail.entries,
      from,
      step: direction,
      matches: (text) => levelOf(text) === 'error',
      clock,
      onSlice(count) {
        if (clock.now() - started.at >= progressDelay) reportProgress(count);
      },
      onEnd(seq) {
        const isPassed = gap !== undefined && (seq === undefined || isBehind(gap, seq, side));
        if (seq !== undefined && !isPassed) {
          seeking.end();
          clearStepMessage(deck);
          revealLine(tail, seq, rows);
        } else if (!filter.isDone()) void scanAfterFilter(from);
        else if (gap !== undefined) void scanGap(from, gap);
        else if (direction > 0) finish('No newer error.');
        else if (log.state.getState().older === 'full') void scanBeyondMemory();
        else if (hasOlderLines(tail)) void scanOlder();
        else finish(notFoundMessage(log.state.getState().older, 'error', start === undefined));
      },
    });
  };

  const scan = (from: number | undefined): void =>
    scanBefore(nearestUnreadGap(tail, from, side), from);

  /** Scans again once the filter has matched all lines, since it may show another error. */
  const scanAfterFilter = async (from: number | undefined): Promise<void> => {
    const end = await waitForFilter(filter, signal);
    if (end === 'done') scan(from);
    else seeking.end();
  };

  const scanGap = async (from: number | undefined, gap: GapEntry<LogLine>): Promise<void> => {
    const walk = await readUnread(
      deck,
      tail,
      wantedErrors,
      { seek: seeking, signal },
      { gap, side },
    );
    if (signal.aborted) return;
    if (walk.end === 'found') scanBefore(gapAfterWalk(tail, from, side), from);
    else if (walk.end === 'none') scan(gap.seq);
    else finish(walkMessage(deck, walk, 'error', key, side) ?? '');
  };

  const scanOlder = async (): Promise<void> => {
    const count = log.entries.length;
    const oldest = tail.entries.seqAt?.(0);
    if (count - started.lines >= maxSearchedLines) {
      return finish(`Stopped after ${formatCount(maxSearchedLines)} lines. ${key} continues.`);
    }
    reportProgress(count);
    const result = await fetchOlderLines(log, clock, signal);
    if (result === 'left') return seeking.end();
    if (result === 'grown') return scanAfterFilter(oldest);
    if (result === 'full') return scanBeyondMemory();
    return finish(notFoundMessage(result, 'error', start === undefined));
  };

  const scanBeyondMemory = async (): Promise<void> => {
    const oldest = tail.entries.seqAt?.(0);
    const walk = await readUnread(deck, tail, wantedErrors, { seek: seeking, signal });
    if (walk.end === 'found') return scanBefore(gapAfterWalk(tail, oldest, side), oldest);
    const message = walkMessage(deck, walk, 'error', key);
    if (message !== undefined) finish(message);
    return undefined;
  };

  scan(start);
}

/** Errors have no text in common that the service could search for. */
const wantedErrors: WantedLines = {
  key: 'error',
  pick: (entries) =>
    entries.filter((entry) => entry.kind === 'line' && levelOf(entry.line.logLine) === 'error'),
};

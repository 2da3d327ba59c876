/** Steps between the errors of the log. */
import { keyName } from '../../store/prompts/key-names.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { waitForFilter } from '../../store/log/reader/filter-end.ts';
import { fetchOlderLines } from '../../store/log/reader/older.ts';
import { findNearestLine } from '../../store/log/reader/seek.ts';
import { formatCount } from '../text/amount.ts';
import type { WantedLines } from '../../store/log/reader/walk-older.ts';
import { lacksLines, walkBeyondMemory, walkMessage } from './beyond-memory.ts';
import { notFoundMessage, maxSearchedLines, sayPassed } from './older-match.ts';
import { logCursor, hasOlderLines, revealLine } from './place.ts';
import { clearStepMessage } from './step-message.ts';
import type { PaneViewport } from '../command/action.ts';
import { levelOf } from '../../tail/level.ts';

/** Milliseconds after which a search reports its progress. */
const progressDelay = 300;

/**
 * Moves the cursor to the nearest newer or older error. A followed log is searched upwards from its
 * newest line. Older lines are fetched when the loaded ones contain no error.
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
  const controller = new AbortController();
  let cancel = (): void => {};
  /** True when lines that are not loaded were read without an error. */
  let hasReadAll = false;
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

  const scan = (from: number | undefined): void => {
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
        if (seq !== undefined) {
          seeking.end();
          clearStepMessage(deck);
          revealLine(tail, seq, rows);
          if (!hasReadAll) sayPassed(deck, tail, start ?? Number.POSITIVE_INFINITY);
        } else if (!filter.isDone()) void scanAfterFilter(from);
        else if (direction > 0)
          finish(lacksLines(tail, start ?? 0, 1) ? 'No newer error is loaded.' : 'No newer error.');
        else if (log.state.getState().older === 'full') void scanBeyondMemory();
        else if (hasOlderLines(tail)) void scanOlder();
        else finish(endMessage());
      },
    });
  };

  /** Returns the message after all loaded lines were searched, and no older ones can be. */
  const endMessage = (): string =>
    lacksLines(tail, start ?? Number.POSITIVE_INFINITY, -1)
      ? 'No older error is loaded.'
      : notFoundMessage(log.state.getState().older, 'error', start === undefined);

  /** Scans again once the filter has matched all lines, since it may show another error. */
  const scanAfterFilter = async (from: number | undefined): Promise<void> => {
    const end = await waitForFilter(filter, controller.signal);
    if (end === 'done') scan(from);
    else seeking.end();
  };

  const scanOlder = async (): Promise<void> => {
    const count = log.entries.length;
    const oldest = tail.entries.seqAt?.(0);
    if (count - started.lines >= maxSearchedLines) {
      return finish(
        `Stopped after ${formatCount(maxSearchedLines)} lines. ${keyName('log.previous-error', 'E')} continues.`,
      );
    }
    reportProgress(count);
    const result = await fetchOlderLines(log, clock, controller.signal);
    if (result === 'left') return seeking.end();
    if (result === 'grown') return scanAfterFilter(oldest);
    if (result === 'full') return scanBeyondMemory();
    return finish(notFoundMessage(result, 'error', start === undefined));
  };

  const scanBeyondMemory = async (): Promise<void> => {
    const { signal } = controller;
    const oldest = tail.entries.seqAt?.(0);
    const walk = await walkBeyondMemory(deck, tail, wantedErrors, { seek: seeking, signal });
    hasReadAll = walk.end === 'found';
    if (hasReadAll) return scan(oldest);
    const message = walkMessage(deck, walk, 'error', keyName('log.previous-error', 'E'));
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

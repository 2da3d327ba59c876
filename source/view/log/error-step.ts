/** Steps between the errors of the log. */
import type { Deck } from '../../store/deck/deck.ts';
import { waitForFilter } from '../../store/log/reader/filter-end.ts';
import { fetchOlderLines } from '../../store/log/reader/older.ts';
import { findNearestLine } from '../../store/log/reader/seek.ts';
import { levelOf } from '../../store/log/reader/view.ts';
import { formatCount } from '../text/amount.ts';
import { noOlderSentence, stopsAfter } from './older-match.ts';
import { logCursor, hasOlder, showAmongOthers } from './place.ts';
import type { PaneViewport } from '../command/action.ts';

/** Milliseconds after which a search reports its progress. */
const saidAfter = 300;

/**
 * Moves the cursor to the nearest newer or older error. A followed log is searched upwards from its
 * newest line. Older lines are fetched when the loaded ones contain no error.
 */
export function seekError(
  deck: Pick<Deck, 'clock' | 'messages' | 'opened'>,
  step: 1 | -1,
  { rows }: PaneViewport,
): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return;
  const { clock } = deck;
  const { log, filter } = tail;
  const began = { at: clock.now(), lines: log.entries.length };
  const start = logCursor(tail);
  const direction = start === undefined ? -1 : step;
  const ending = new AbortController();
  let cancel = (): void => {};
  const seeking = tail.reading.seek.begin(() => {
    ending.abort();
    cancel();
  });
  const finish = (sentence: string): void => {
    seeking.end();
    deck.messages.say(sentence);
  };
  const say = (count: number): void => {
    seeking.report(`Searched ${formatCount(count)} lines. Esc stops.`);
  };

  const look = (from: number | undefined): void => {
    cancel = findNearestLine({
      entries: tail.entries,
      from,
      step: direction,
      matches: (text) => levelOf(text) === 'error',
      clock,
      onSlice(count) {
        if (clock.now() - began.at >= saidAfter) say(count);
      },
      onEnd(seq) {
        if (seq !== undefined) {
          seeking.end();
          showAmongOthers(tail, seq, rows);
        } else if (!filter.isDone()) void lookAgain(from);
        else if (direction > 0) finish('No newer error.');
        else if (hasOlder(tail)) void lookOlder();
        else finish(noOlderSentence(log.state.getState().older, 'error', start === undefined));
      },
    });
  };

  /** Scans again once the filter has matched all lines, since it may show another error. */
  const lookAgain = async (from: number | undefined): Promise<void> => {
    const end = await waitForFilter(filter, ending.signal);
    if (end === 'done') look(from);
    else seeking.end();
  };

  const lookOlder = async (): Promise<void> => {
    const count = log.entries.length;
    const oldest = tail.entries.seqAt?.(0);
    if (count - began.lines >= stopsAfter) {
      return finish(`Stopped after ${formatCount(stopsAfter)} lines. E continues.`);
    }
    say(count);
    const came = await fetchOlderLines(log, clock, ending.signal);
    if (came === 'left') return seeking.end();
    if (came === 'grown') return lookAgain(oldest);
    return finish(noOlderSentence(came, 'error', start === undefined));
  };

  look(start);
}

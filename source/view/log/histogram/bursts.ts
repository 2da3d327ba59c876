/** Steps between the bursts of the log, and the switch of its histogram. */
import type { Deck } from '../../../store/deck/deck.ts';
import { burstsOf } from '../../../store/log/histogram/bursts.ts';
import type { Bar } from '../../../store/log/histogram/bars.ts';
import type { SearchDirection } from '../../../store/log/reader/search.ts';
import { isUtcFormat, momentText } from '../../../store/log/times.ts';
import type { PaneViewport } from '../../command/action.ts';
import { formatCount } from '../../text/amount.ts';
import { logCursor, revealLine } from '../place.ts';

/** Moves the cursor to the first line of the nearest older or newer burst; see `burstsOf`. */
export function goToBurst(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'opened'>,
  direction: SearchDirection,
  { rows }: PaneViewport,
): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return;
  const bars = tail.histogram.bars();
  const bursts = burstsOf(bars).flatMap((index) => bars[index] ?? []);
  const burst = nearest(bursts, logCursor(tail), direction);
  const entries = tail.filter.entries;
  let index = burst === undefined ? entries.length : entries.indexOf(burst.first);
  if (entries.at(index)?.kind === 'gap') index += 1;
  const entry = entries.at(index);
  if (burst === undefined || entry === undefined) {
    return deck.messages.say(`No ${direction} peak.`);
  }
  const utc = isUtcFormat(deck.screen.getState().times);
  const time = momentText(burst.at, deck.clock.serviceNow(), utc);
  revealLine(tail, entry.seq, rows);
  return deck.messages.say(`Peak of ${formatCount(burst.count)} lines from ${time}.`);
}

/** Returns the nearest burst that does not contain the cursor; without one, seen from the end. */
function nearest(
  bursts: readonly Bar[],
  cursor: number | undefined,
  direction: SearchDirection,
): Bar | undefined {
  if (direction === 'newer')
    return bursts.find(({ first }) => cursor !== undefined && cursor < first);
  return bursts.findLast(({ end }) => cursor === undefined || end <= cursor);
}

/** Shows the histogram of logs, or hides it. */
export function toggleHistogram(
  deck: Pick<Deck, 'screen' | 'messages' | 'opened'>,
  { hasHistogram = false }: PaneViewport,
): void {
  const { tail } = deck.opened.getState();
  if (tail?.histogram.state.getState().kind === 'untimed') {
    return deck.messages.say('The lines of this log have no times.');
  }
  deck.screen.reading.setHistogram(!hasHistogram);
  return deck.messages.say(hasHistogram ? 'Histogram off.' : 'Histogram on. < and > go to peaks.');
}

import { keyName } from '../../store/prompts/key-names.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { dayText, isUtcFormat } from '../../store/log/times.ts';
import { contextOf } from '../command/command.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'clock' | 'screen' | 'opened'>;

/**
 * Returns the reader state for the row above the keys: day of the cursor (when it is not today and
 * the time format omits it), selection and horizontal scroll.
 */
export function positionText(deck: Handles, selection?: string): string {
  const { logLeft, focus, main } = deck.screen.getState();
  // The keys below act on the log only in its own pane.
  if (contextOf(focus, main) !== 'logs') return '';
  const parts = [
    frozenDay(deck),
    selection === undefined ? '' : `${selection}. Esc deselects.`,
    logLeft === 0
      ? ''
      : `Scrolled right by ${logLeft}. ${keyName('text.left-edge', '0')} scrolls back.`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** Returns the day of the line under the cursor; empty where the times of the lines show it. */
function frozenDay(deck: Handles): string {
  const { tail } = deck.opened.getState();
  const { times } = deck.screen.getState();
  const position = tail?.view.position.getState();
  const showsDay = times !== 'time' && times !== 'time-utc';
  if (tail === undefined || position?.kind !== 'frozen' || showsDay) return '';
  const entry = tail.entries.at(tail.entries.indexOf(position.cursor));
  const at = entry?.kind === 'line' ? Date.parse(entry.line.timestamp ?? '') : Number.NaN;
  if (Number.isNaN(at)) return '';
  const utc = isUtcFormat(times);
  const day = dayText(at, utc);
  return day === dayText(deck.clock.serviceNow(), utc) ? '' : `Lines of ${day}.`;
}

import type { Deck } from '../../store/deck/deck.ts';
import { dayText, isUtcFormat } from '../../store/log/times.ts';
import { contextOf } from '../command/command.ts';
import { frozenText } from './title.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'clock' | 'screen' | 'opened'>;

/**
 * Returns the reader state for the row above the keys: pause, day of the cursor (when it is not
 * today and the time format omits it), selection and horizontal scroll.
 */
export function positionText(deck: Handles, selection?: string): string {
  const frozen = frozenText(deck);
  const { logLeft, focus, main } = deck.screen.getState();
  // The keys below act on the log only in its own pane.
  if (contextOf(focus, main) !== 'logs') return frozen === undefined ? '' : `Log ${frozen}.`;
  const parts: string[] = [];
  if (frozen !== undefined) {
    const end = selection === undefined ? 'G follows.' : `${selection}. Esc deselects.`;
    parts.push(`${frozen}${frozenDay(deck)}. ${end}`);
  }
  if (logLeft > 0) parts.push(`Scrolled right by ${logLeft}. Left scrolls back.`);
  return parts.join(' ');
}

/** Returns the day of the line under the cursor, as ` on 2026-11-20`. */
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
  return day === dayText(deck.clock.serviceNow(), utc) ? '' : ` on ${day}`;
}

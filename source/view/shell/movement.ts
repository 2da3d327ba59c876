import type { Deck } from '../../store/deck/deck.ts';
import { moveInDetails } from '../details/cursor.ts';
import { isDetails } from '../details/details.ts';
import { moveInLog } from '../log/move.ts';
import { moveInPatterns } from '../log/patterns/pattern-cursor.ts';
import type { PaneViewport } from '../command/action.ts';

/** Moves the focused pane by `step` rows, negative for up; infinite steps go to the ends. */
export function moveBy(
  deck: Pick<
    Deck,
    | 'clock'
    | 'screen'
    | 'messages'
    | 'lists'
    | 'deployments'
    | 'files'
    | 'opened'
    | 'grants'
    | 'colours'
  >,
  step: number,
  viewport: PaneViewport,
): void {
  const { focus, main } = deck.screen.getState();
  if (focus !== 'main') deck.lists[focus].moveCursor(step);
  else if (main.kind === 'logs') moveInLog(deck, step);
  else if (main.kind === 'history') scrollHistory(deck, step, viewport);
  else if (main.kind === 'patterns') moveInPatterns(deck, step, viewport);
  else if (isDetails(main)) moveInDetails(deck, main, step, viewport);
  else scrollText(deck, step, viewport);
}

/**
 * Scrolls a text up to its last screenful. A wrapped text scrolls up to its last line, because a
 * line may take several rows.
 */
function scrollText(deck: Pick<Deck, 'screen'>, step: number, viewport: PaneViewport): void {
  const { scroll, wrap } = deck.screen.getState();
  const last = Math.max(0, viewport.lines - (wrap ? 1 : viewport.rows));
  deck.screen.view.scrollTo({ top: Math.max(0, Math.min(scroll.top + step, last)) });
}

/** Scrolls the history; at its end it follows new entries. */
function scrollHistory(deck: Pick<Deck, 'screen'>, step: number, viewport: PaneViewport): void {
  const { scroll } = deck.screen.getState();
  const end = Math.max(0, viewport.lines - viewport.rows);
  const top = Math.max(0, Math.min(scroll.top, end) + step);
  deck.screen.view.scrollTo({ top: top >= end ? Number.POSITIVE_INFINITY : top });
}

/** Scrolls the log or a text sideways by cells, negative for left; an infinite step goes to the left edge. */
export function moveSideways(deck: Pick<Deck, 'screen'>, step: number): void {
  const { main, logLeft, scroll } = deck.screen.getState();
  const shifted = (left: number) => Math.max(0, left + step);
  if (main.kind === 'logs') deck.screen.reading.setLogLeft(shifted(logLeft));
  else deck.screen.view.scrollTo({ left: shifted(scroll.left) });
}

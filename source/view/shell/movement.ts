import type { Deck } from '../../store/deck/deck.ts';
import { moveCursor } from '../../store/lists/cursor.ts';
import { isFiltered } from '../../store/log/reader/filter.ts';
import type { Tail } from '../../store/deck/opened.ts';
import { listIds } from '../../store/deck/rows.ts';
import { moveInDetails } from '../details/cursor.ts';
import { isDetails } from '../details/details.ts';
import type { ListPane } from '../../store/deck/screen/focus.ts';

/** How much of the focused pane is seen, and how much there is: what paging needs to know. */
export interface PaneViewport {
  /** Rows seen at once. */
  readonly rows: number;
  /** Lines of the text in it; a list counts its own. */
  readonly lines: number;
  /** Of a difference: at which of the lines each change begins. */
  readonly changes?: readonly number[] | undefined;
}

/** A step up (negative) or down; infinite steps go to the ends. */
export function moveBy(
  deck: Pick<
    Deck,
    'clock' | 'screen' | 'messages' | 'deployments' | 'opened' | 'files' | 'grants' | 'colours'
  >,
  step: number,
  viewport: PaneViewport,
): void {
  const { focus, main } = deck.screen.getState();
  if (focus !== 'main') moveInList(deck, focus, step);
  else if (main.kind === 'logs') moveInLog(deck, step);
  else if (main.kind === 'history') scrollHistory(deck, step, viewport);
  else if (isDetails(main)) moveInDetails(deck, main, step, viewport);
  else scrollText(deck, step, viewport);
}

function moveInList(
  deck: Pick<Deck, 'clock' | 'screen' | 'deployments' | 'files' | 'grants'>,
  pane: ListPane,
  step: number,
): void {
  const { cursors } = deck.screen.getState();
  deck.screen.lists.setCursor(pane, moveCursor(listIds(deck, pane), cursors[pane], step));
}

/** So near to the oldest line at hand, older ones are fetched before they are reached. */
const nearTop = 200;
const olderLines = 1000;
/** With each key at the top, of which a filter may show none. */
const olderFiltered = 5000;

/** A step in the log; near the oldest line at hand it has older ones fetched. */
export function moveInLog(deck: Pick<Deck, 'messages' | 'opened'>, step: number): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return;
  tail.view.move(step);
  const position = tail.view.position.getState();
  const index = position.kind === 'frozen' ? tail.entries.indexOf(position.cursor) : undefined;
  if (isFiltered(tail.filter)) {
    // Where next to nothing matches, only who wants to go on upwards has more fetched.
    const isAtTop = index === 0 || tail.entries.length === 0;
    if (step < 0 && isAtTop) tail.log.olderWanted(olderFiltered);
  } else if (index !== undefined && index < nearTop) tail.log.olderWanted(olderLines);
  if (index === 0 && step < 0 && isFull(tail)) {
    deck.messages.say('Older lines have left memory, which is full. --log-lines keeps more.');
  }
}

/** Whether lines were dropped that came before the first one shown: what is pinned may be older. */
function isFull({ log, entries }: Tail): boolean {
  const first = entries.at(0);
  const [own] = log.entries.slice(0, 1);
  const isPinned = first !== undefined && own !== undefined && first.seq < own.seq;
  return isPinned || log.state.getState().older === 'full';
}

/**
 * Texts stop with their last screenful, so that the end is never scrolled away. Wrapped, a line may
 * take more than one row, so the last line may come to stand first.
 */
function scrollText(deck: Pick<Deck, 'screen'>, step: number, viewport: PaneViewport): void {
  const { scroll, wrap } = deck.screen.getState();
  const last = Math.max(0, viewport.lines - (wrap ? 1 : viewport.rows));
  deck.screen.view.scrollTo({ top: Math.max(0, Math.min(scroll.top + step, last)) });
}

/** At its end it stays there, whatever is added. */
function scrollHistory(deck: Pick<Deck, 'screen'>, step: number, viewport: PaneViewport): void {
  const { scroll } = deck.screen.getState();
  const end = Math.max(0, viewport.lines - viewport.rows);
  const top = Math.max(0, Math.min(scroll.top, end) + step);
  deck.screen.view.scrollTo({ top: top >= end ? Number.POSITIVE_INFINITY : top });
}

const sidewaysStep = 8;

/** Sideways by a step, in the log or a text. */
export function moveSideways(deck: Pick<Deck, 'screen'>, direction: -1 | 1): void {
  const { main, logLeft, scroll } = deck.screen.getState();
  const shifted = (left: number) => Math.max(0, left + direction * sidewaysStep);
  if (main.kind === 'logs') deck.screen.reading.setLogLeft(shifted(logLeft));
  else deck.screen.view.scrollTo({ left: shifted(scroll.left) });
}

import type { Deck } from '../../store/deck/deck.ts';
import { cursorAt, startOfList } from '../../store/lists/cursor.ts';
import { fileRows, listIds } from '../../store/deck/rows.ts';
import type { ListPane } from '../../store/deck/screen/focus.ts';
import type { Overlay } from '../../store/deck/screen/overlay.ts';
import { firstMatch } from '../../store/deck/visible.ts';
import type { EditedLine } from '../text/line-editor.ts';

/** Sets the filter of a list and moves the cursor to the first row that matches it itself. */
export function setFilter(
  deck: Pick<Deck, 'clock' | 'screen' | 'deployments' | 'files' | 'grants'>,
  pane: ListPane,
  filter: string,
): void {
  const { screen } = deck;
  screen.lists.setFilter(pane, filter);
  const ids = listIds(deck, pane);
  const first = pane === 'files' ? firstMatch(fileRows(deck)) : 0;
  const cursor = ids.length === 0 ? startOfList : cursorAt(ids, first);
  screen.lists.setCursor(pane, cursor);
}

/** Puts an edited line into the open filter of a list. */
export function editFilter(
  deck: Parameters<typeof setFilter>[0],
  overlay: Extract<Overlay, { kind: 'filter' }>,
  { text, caret }: EditedLine,
): void {
  const { screen } = deck;
  screen.overlay.open({ ...overlay, caret });
  if (text !== screen.getState().filters[overlay.pane]) setFilter(deck, overlay.pane, text);
}

/** Opens the filter of the focused list. */
export function openFilter(deck: Pick<Deck, 'screen'>): void {
  deck.screen.lists.openFilter();
}

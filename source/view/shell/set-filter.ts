import type { Deck } from '../../store/deck/deck.ts';
import { cursorAt, startOfList } from '../../store/lists/cursor.ts';
import { fileRows, listIds } from '../../store/deck/rows.ts';
import type { ListPane } from '../../store/deck/screen/focus.ts';
import { firstMatch } from '../../store/deck/visible.ts';

/** A filter typed further: the cursor goes to the first row that passes it by itself. */
export function setFilter(
  deck: Pick<Deck, 'clock' | 'screen' | 'deployments' | 'files' | 'grants'>,
  pane: ListPane,
  typed: string,
): void {
  const { screen } = deck;
  screen.lists.setFilter(pane, typed);
  const ids = listIds(deck, pane);
  const first = pane === 'files' ? firstMatch(fileRows(deck)) : 0;
  const cursor = ids.length === 0 ? startOfList : cursorAt(ids, first);
  screen.lists.setCursor(pane, cursor);
}

/** Opens the filter of the focused list. */
export function askFilter(deck: Pick<Deck, 'screen'>): void {
  deck.screen.lists.openFilter();
}

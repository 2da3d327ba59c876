import type { Deck } from '../../store/deck/deck.ts';
import { cursorAt, startOfList } from '../../store/lists/cursor.ts';
import { fileRows, listIds } from '../../store/deck/rows.ts';
import type { ListPane } from '../../store/deck/screen.ts';
import { firstMatch } from '../../store/deck/visible.ts';

/** A filter typed further: the cursor goes to the first row that passes it by itself. */
export function setFilter(deck: Deck, pane: ListPane, typed: string): void {
  const { screen } = deck;
  screen.setState(({ filters }) => ({ filters: { ...filters, [pane]: typed } }));
  const ids = listIds(deck, pane);
  const first = pane === 'files' ? firstMatch(fileRows(deck)) : 0;
  const cursor = ids.length === 0 ? startOfList : cursorAt(ids, first);
  screen.setState(({ cursors }) => ({ cursors: { ...cursors, [pane]: cursor } }));
}

/** Opens the filter of the focused list. */
export function askFilter(deck: Deck): void {
  deck.screen.setState((screen) => {
    const { focus: pane, filters, cursors } = screen;
    if (pane === 'main') return {};
    const before = filters[pane];
    return {
      // What is typed replaces the filter that was kept; Esc brings that back.
      filters: { ...filters, [pane]: '' },
      overlay: { kind: 'filter', pane, before, cursor: cursors[pane], caret: 0 },
    };
  });
}

import type { Deck } from '../../../store/deck/deck.ts';
import type { ListPane } from '../../../store/lists/list-panes.ts';
import { fileRows } from '../../../store/files/visible.ts';
import { deploymentRowWords } from '../../deployments/words.ts';
import { fileRowWords } from '../../files/words.ts';
import { grantRowWords } from '../../grants/words.ts';
import type { RowWords } from '../../text/row-words.ts';

/** Returns the row of a list in words; undefined without one. */
export function listWords(deck: Deck, pane: ListPane, index: number): RowWords | undefined {
  const id = deck.lists[pane].ids()[index];
  if (id === undefined) return undefined;
  switch (pane) {
    case 'deployments':
      return deploymentRowWords(deck, id);
    case 'grants':
      return grantRowWords(deck, id);
    case 'files': {
      const { filters, orders } = deck.screen.getState();
      const row = fileRows(deck.files, { filter: filters.files, order: orders.files })[index];
      return row && fileRowWords(deck, row);
    }
  }
}

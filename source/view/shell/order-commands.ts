import type { Deck } from '../../store/deck/deck.ts';
import { type ListOrder, nextOrder, orderMeaning, reversedOrder } from '../../store/lists/order.ts';
import { bindCursor } from '../../store/deck/rows.ts';
import type { ListPane } from '../../store/deck/screen/focus.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'clock' | 'screen' | 'messages' | 'deployments' | 'files' | 'grants'>;

const nouns: Readonly<Record<ListPane, string>> = {
  deployments: 'Deployments',
  files: 'Files',
  grants: 'Grants',
};

/** `o`: the focused list by the next thing it can be ordered by. */
export function stepOrder(deck: Handles): void {
  reorder(deck, nextOrder);
}

/** `I`: the focused list the other way round. */
export function reverseOrder(deck: Handles): void {
  reorder(deck, (_, order) => reversedOrder(order));
}

/** The cursor stays on its row, wherever that goes. */
function reorder(deck: Handles, change: (list: ListPane, order: ListOrder) => ListOrder): void {
  const { focus, orders } = deck.screen.getState();
  if (focus === 'main') return;
  const order = change(focus, orders[focus]);
  deck.screen.lists.setOrder(focus, order);
  bindCursor(deck, focus);
  deck.messages.say(`${nouns[focus]} ${orderMeaning(order)}. o: next order, I: reverse.`);
}

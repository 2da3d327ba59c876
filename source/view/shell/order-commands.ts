import type { Deck } from '../../store/deck/deck.ts';
import { type ListOrder, nextOrder, orderMeaning, reversedOrder } from '../../store/lists/order.ts';
import { bindCursor } from '../../store/deck/rows.ts';
import type { ListPane } from '../../store/deck/screen/focus.ts';

const nouns: Readonly<Record<ListPane, string>> = {
  deployments: 'Deployments',
  files: 'Files',
  grants: 'Grants',
};

/** `o`: the focused list by the next thing it can be ordered by. */
export function stepOrder(deck: Deck): void {
  reorder(deck, nextOrder);
}

/** `I`: the focused list the other way round. */
export function reverseOrder(deck: Deck): void {
  reorder(deck, (_, order) => reversedOrder(order));
}

/** The cursor stays on its row, wherever that goes. */
function reorder(deck: Deck, change: (list: ListPane, order: ListOrder) => ListOrder): void {
  const { focus, orders } = deck.screen.getState();
  if (focus === 'main') return;
  const order = change(focus, orders[focus]);
  deck.screen.lists.setOrder(focus, order);
  bindCursor(deck, focus);
  deck.messages.say(`${nouns[focus]} ${orderMeaning(order)}. o: next order, I: reverse.`);
}

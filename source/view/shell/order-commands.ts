import type { Console } from '../../store/deck/deck.ts';
import { type ListOrder, nextOrder, orderMeaning, reversedOrder } from '../../store/lists/order.ts';
import { heldCursors } from '../../store/deck/rows.ts';
import type { ListPane } from '../../store/deck/screen.ts';

const nouns: Readonly<Record<ListPane, string>> = {
  deployments: 'Deployments',
  files: 'Files',
  grants: 'Grants',
};

/** `o`: the focused list by the next thing it can be ordered by. */
export function stepOrder(console: Console): void {
  reorder(console, nextOrder);
}

/** `I`: the focused list the other way round. */
export function reverseOrder(console: Console): void {
  reorder(console, (_, order) => reversedOrder(order));
}

/** The cursor stays on its row, wherever that goes. */
function reorder(console: Console, change: (list: ListPane, order: ListOrder) => ListOrder): void {
  const { focus, orders } = console.screen.getState();
  if (focus === 'main') return;
  const order = change(focus, orders[focus]);
  console.screen.setState({ orders: { ...orders, [focus]: order } });
  console.screen.setState(heldCursors(console, [focus]));
  console.say(`${nouns[focus]} ${orderMeaning(order)}. o: next order, I: reverse.`);
}

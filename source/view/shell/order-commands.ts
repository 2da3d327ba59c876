import { keyName } from '../../store/prompts/key-names.ts';
import type { Deck } from '../../store/deck/deck.ts';
import {
  type ListOrder,
  nextOrder,
  orderMeaning,
  type OrderName,
  ordersOf,
  reversedOrder,
} from '../../store/lists/order.ts';
import { type ListPane, listPanes } from '../../store/lists/list-panes.ts';
import { type Command, listContexts } from '../command/command.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'screen' | 'messages' | 'lists'>;

/** Handles `o`: sorts the focused list by its next order. */
function stepOrder(deck: Handles): void {
  reorder(deck, nextOrder);
}

/** Handles `I`: reverses the order of the focused list. */
function reverseOrder(deck: Handles): void {
  reorder(deck, (_, order) => reversedOrder(order));
}

/** Sorts a list by an order, or reverses it where it is the list's own already. */
export function orderBy(deck: Handles, list: ListPane, by: OrderName): void {
  const current = deck.screen.getState().orders[list];
  const order = ordersOf(list).find((one) => one.by === by);
  if (order === undefined) return;
  setOrder(deck, list, current === order ? reversedOrder(order) : order);
}

/** Changes the order of the focused list; the cursor stays on its row. */
function reorder(deck: Handles, change: (list: ListPane, order: ListOrder) => ListOrder): void {
  const { focus, orders } = deck.screen.getState();
  if (focus === 'main') return;
  setOrder(deck, focus, change(focus, orders[focus]));
}

function setOrder(deck: Handles, list: ListPane, order: ListOrder): void {
  deck.screen.listViews.setOrder(list, order);
  deck.lists[list].holdCursor();
  const { title } = listPanes[list];
  deck.messages.say(
    `${title} ${orderMeaning(list, order)}. ${keyName('list.order', 'o')}: next order, ${keyName('list.reverse-order', 'I')}: reverse.`,
  );
}

/** Commands that filter and order the focused list. */
export const listCommands: readonly Command[] = [
  {
    id: 'list.filter',
    keys: ['/'],
    contexts: listContexts,
    label: 'filter',
    group: 'list',
    help: 'filter the rows',
    title: 'filter',
    synonyms: ['search', 'find', 'grep'],
    run: ({ deck }) => deck.screen.listViews.openFilter(),
  },
  {
    id: 'list.order',
    keys: ['o'],
    contexts: listContexts,
    label: 'order',
    group: 'list',
    help: 'next order of rows',
    title: 'order',
    synonyms: ['sort'],
    run: ({ deck }) => stepOrder(deck),
  },
  {
    id: 'list.reverse-order',
    keys: ['I'],
    contexts: listContexts,
    group: 'list',
    help: 'reverse the order',
    title: 'reverse order',
    synonyms: ['sort', 'invert'],
    run: ({ deck }) => reverseOrder(deck),
  },
];

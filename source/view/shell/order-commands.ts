import type { Deck } from '../../store/deck/deck.ts';
import { type ListOrder, nextOrder, orderMeaning, reversedOrder } from '../../store/lists/order.ts';
import { heldCursors } from '../../store/deck/rows.ts';
import type { ListPane } from '../../store/deck/screen.ts';
import { type Command, listContexts } from '../command/command.ts';
import { askFilter } from './set-filter.ts';

const nouns: Readonly<Record<ListPane, string>> = {
  deployments: 'Deployments',
  files: 'Files',
  grants: 'Grants',
};

/** `o`: the focused list by the next thing it can be ordered by. */
function stepOrder(deck: Deck): void {
  reorder(deck, nextOrder);
}

/** `I`: the focused list the other way round. */
function reverseOrder(deck: Deck): void {
  reorder(deck, (_, order) => reversedOrder(order));
}

/** The cursor stays on its row, wherever that goes. */
function reorder(deck: Deck, change: (list: ListPane, order: ListOrder) => ListOrder): void {
  const { focus, orders } = deck.screen.getState();
  if (focus === 'main') return;
  const order = change(focus, orders[focus]);
  deck.screen.setState({ orders: { ...orders, [focus]: order } });
  deck.screen.setState(heldCursors(deck, [focus]));
  deck.say(`${nouns[focus]} ${orderMeaning(order)}. o: next order, I: reverse.`);
}

/** Commands of whichever list has the focus. */
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
    run: ({ deck }) => askFilter(deck),
  },
  {
    id: 'list.order',
    keys: ['o'],
    contexts: listContexts,
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

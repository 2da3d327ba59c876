/** The end of a sentence about an order and about its reverse: `newest first`. */
type Meaning = readonly [forward: string, reversed: string];

interface ListPaneEntry {
  /** The key that focuses the pane, and its place among the panes; pane 4 shows the log. */
  readonly digit: string;
  readonly title: string;
  /** The sort orders in the sequence of the key `o`; the first one is the initial order. */
  readonly orders: Readonly<Record<string, Meaning>>;
}

const asListed: Meaning = ['as listed by the service', 'as listed by the service, reversed'];
const byAlphabet: Meaning = ['a to z', 'z to a'];
const byTime: Meaning = ['newest first', 'oldest first'];
const byUrgency: Meaning = ['most urgent first', 'least urgent first'];

/**
 * The list panes, one entry a noun. Focus, cursors, filters, orders, keys, titles and the first frame
 * come from this table.
 */
export const listPanes = {
  deployments: {
    digit: '1',
    title: 'Deployments',
    orders: {
      attention: byUrgency,
      name: byAlphabet,
      age: byTime,
      restarts: ['most restarts first', 'fewest restarts first'],
      cost: ['highest cost first', 'lowest cost first'],
      service: asListed,
    },
  },
  files: {
    digit: '2',
    title: 'Files',
    orders: {
      name: byAlphabet,
      size: ['largest first', 'smallest first'],
      time: byTime,
    },
  },
  grants: {
    digit: '3',
    title: 'Grants',
    orders: {
      service: asListed,
      party: byAlphabet,
      state: byUrgency,
      spent: ['most spent first', 'least spent first'],
      'time left': ['soonest end first', 'latest end first'],
    },
  },
} as const satisfies Readonly<Record<string, ListPaneEntry>>;

export type ListPane = keyof typeof listPanes;

export const listPaneNames = Object.keys(listPanes) as readonly ListPane[];

export function isListPane(name: string): name is ListPane {
  return Object.hasOwn(listPanes, name);
}

/** Returns a value for each list pane. */
export function eachListPane<T>(valueOf: (pane: ListPane) => T): Readonly<Record<ListPane, T>> {
  const entries = listPaneNames.map((pane) => [pane, valueOf(pane)] as const);
  return Object.fromEntries(entries) as Record<ListPane, T>;
}

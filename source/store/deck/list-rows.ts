import { eachListPane } from '../lists/list-panes.ts';
import type { KeyPause } from '../time/key-pause.ts';
import type { Lists } from './lists.ts';
import type { OpenedStore } from './opened.ts';
import { firstListRows } from './screen/layout.ts';
import type { ScreenStore } from './screen/screen.ts';

/** Rows of a list besides its records: the names of its columns. */
const headerRows = { deployments: 1, files: 0, grants: 1 } as const;

/**
 * Tells the layout how many rows each list has to show: at once when the focus moves or a deployment
 * opens, else in the next pause of the keys. Returns the function that stops it.
 */
export function followListRows(handles: {
  readonly screen: ScreenStore;
  readonly lists: Lists;
  readonly opened: Pick<OpenedStore, 'subscribe'>;
  readonly keyPause: Pick<KeyPause, 'whenPaused'>;
}): () => void {
  const { screen, lists, opened, keyPause } = handles;
  let cancel = (): void => {};
  const update = (): void => {
    cancel();
    const rows = eachListPane((pane) => {
      const { length } = lists[pane].ids();
      return length === 0 ? firstListRows[pane] : length + headerRows[pane];
    });
    screen.layout.setListRows(rows);
  };
  const updateInPause = (): void => {
    cancel();
    cancel = keyPause.whenPaused(update);
  };
  const subscriptions = [
    ...Object.values(lists).map((list) => list.subscribe(updateInPause)),
    screen.subscribe((now, before) => {
      if (now.focus !== before.focus) update();
      else if (now.filters !== before.filters) updateInPause();
    }),
    opened.subscribe(update),
  ];
  return () => {
    for (const unsubscribe of subscriptions) unsubscribe();
    cancel();
  };
}

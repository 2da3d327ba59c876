import type { AddressBookStore } from '../grants/address-book.ts';
import type { DeploymentsStore } from '../deployments/deployments.ts';
import type { TreeRow } from '../files/tree.ts';
import type { FilesStore } from '../files/files.ts';
import type { GrantRates } from '../grants/spend-rates.ts';
import type { GrantsStore } from '../grants/grants.ts';
import { holdCursor } from '../lists/cursor.ts';
import type { ListPane } from './screen/focus.ts';
import type { ScreenStore } from './screen/screen.ts';
import { idsOf, pathsOf, visibleDeployments, visibleFiles, visibleGrants } from './visible.ts';

/** The stores that the rows of the list panes come from. */
export interface RowSources {
  readonly deployments: DeploymentsStore;
  readonly files: FilesStore;
  readonly grants: GrantsStore;
  readonly grantRates: GrantRates;
  /** Names of addresses; empty until they were read. */
  readonly addressBook: AddressBookStore;
  readonly screen: ScreenStore;
  /** Clock of the service in ms: grants expire by it. */
  serviceNow(): number;
}

/** The file rows as the pane shows them now. */
export function fileRows({ files, screen }: RowSources): readonly TreeRow[] {
  const { filters, orders } = screen.getState();
  const { rows } = files.list.state.getState();
  return visibleFiles(rows, filters.files, files.state.getState(), orders.files);
}

/** Ids of a list's rows, as the pane shows them now; the same array while they are the same. */
export function listIds(sources: RowSources, pane: ListPane): readonly string[] {
  const { filters, orders } = sources.screen.getState();
  switch (pane) {
    case 'deployments': {
      const { rows } = sources.deployments.list.state.getState();
      return idsOf(visibleDeployments(rows, filters.deployments, orders.deployments));
    }
    case 'files':
      return pathsOf(fileRows(sources));
    case 'grants': {
      const { rows } = sources.grants.list.state.getState();
      const book = sources.addressBook.getState();
      const wallet = sources.grants.wallet();
      const now = sources.serviceNow();
      return idsOf(visibleGrants(rows, filters.grants, now, book, orders.grants, wallet));
    }
  }
}

/** Binds the cursor of a list to the row that it is shown on. */
export function bindCursor(sources: RowSources, pane: ListPane): void {
  const { screen } = sources;
  const before = screen.getState().cursors[pane];
  const cursor = holdCursor(listIds(sources, pane), before);
  if (cursor !== before) screen.lists.setCursor(pane, cursor);
}

import type { StoreApi } from 'zustand/vanilla';
import type { AddressBook } from './address-book.ts';
import type { DeploymentsStore } from './deployments.ts';
import type { TreeRow } from './file-tree.ts';
import type { FilesStore } from './files.ts';
import type { GrantRates } from './grant-rates.ts';
import type { GrantsStore } from './grants.ts';
import { type Cursor, holdCursor } from './cursor.ts';
import type { ListPane, Screen, ScreenStore } from './screen.ts';
import { pathsOf, visibleDeployments, visibleFiles, visibleGrants } from './visible.ts';

/** The stores that the rows of the list panes come from. */
export interface RowSources {
  readonly deployments: DeploymentsStore;
  readonly files: FilesStore;
  readonly grants: GrantsStore;
  readonly grantRates: GrantRates;
  /** Names of addresses; empty until they were read. */
  readonly addressBook: StoreApi<AddressBook>;
  readonly screen: ScreenStore;
  /** Clock of the service in ms: grants expire by it. */
  serviceNow(): number;
}

/** The file rows as the pane shows them now. */
export function fileRows({ files, screen }: RowSources): readonly TreeRow[] {
  const { rows } = files.list.state.getState();
  return visibleFiles(rows, screen.getState().filters.files, files.state.getState());
}

/** Ids of a list's rows, as the pane shows them now. */
export function listIds(sources: RowSources, pane: ListPane): readonly string[] {
  const { filters } = sources.screen.getState();
  switch (pane) {
    case 'deployments':
      return visibleDeployments(
        sources.deployments.list.state.getState().rows,
        filters.deployments,
      ).map((row) => row.value.id);
    case 'files':
      return pathsOf(fileRows(sources));
    case 'grants':
      return visibleGrants(
        sources.grants.list.state.getState().rows,
        filters.grants,
        sources.serviceNow(),
        sources.addressBook.getState(),
      ).map((row) => row.value.id);
  }
}

/** The cursors bound to the rows they are shown on; nothing when they are already. */
export function heldCursors(sources: RowSources, panes: readonly ListPane[]): Partial<Screen> {
  const { cursors } = sources.screen.getState();
  const held: Partial<Record<ListPane, Cursor>> = {};
  for (const pane of panes) {
    const cursor = holdCursor(listIds(sources, pane), cursors[pane]);
    if (cursor !== cursors[pane]) held[pane] = cursor;
  }
  return Object.keys(held).length === 0 ? {} : { cursors: { ...cursors, ...held } };
}

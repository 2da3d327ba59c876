import type { DeckClock, DeploymentsHandle, GrantsHandle } from './handles.ts';
import type { TreeRow } from '../files/tree.ts';
import type { FilesStore } from '../files/files.ts';
import { holdCursor } from '../lists/cursor.ts';
import type { ListPane } from './screen/focus.ts';
import type { ScreenStore } from './screen/screen.ts';
import { idsOf, pathsOf, visibleDeployments, visibleFiles, visibleGrants } from './visible.ts';

/** The handles that the rows of the list panes come from. */
export interface RowSources {
  readonly deployments: Pick<DeploymentsHandle, 'list'>;
  readonly files: FilesStore;
  readonly grants: GrantsHandle;
  readonly screen: ScreenStore;
  readonly clock: DeckClock;
}

/** Returns the rows of the file tree as its pane shows them. */
export function fileRows({
  files,
  screen,
}: Pick<RowSources, 'files' | 'screen'>): readonly TreeRow[] {
  const { filters, orders } = screen.getState();
  const { rows } = files.list.state.getState();
  return visibleFiles(rows, filters.files, files.state.getState(), orders.files);
}

/** Returns the ids of the deployments as their pane shows them; the same array for the same rows. */
export function deploymentIds({
  deployments,
  screen,
}: Pick<RowSources, 'deployments' | 'screen'>): readonly string[] {
  const { filters, orders } = screen.getState();
  const { rows } = deployments.list.state.getState();
  return idsOf(visibleDeployments(rows, filters.deployments, orders.deployments));
}

/** Returns the paths of the file tree as its pane shows them; the same array for the same rows. */
export function filePaths(sources: Pick<RowSources, 'files' | 'screen'>): readonly string[] {
  return pathsOf(fileRows(sources));
}

/** Returns the ids of the grants as their pane shows them; the same array for the same rows. */
export function grantIds({
  grants,
  screen,
  clock,
}: Pick<RowSources, 'grants' | 'screen' | 'clock'>): readonly string[] {
  const { filters, orders } = screen.getState();
  const { rows } = grants.list.state.getState();
  const book = grants.addressBook.getState();
  const now = clock.serviceNow();
  return idsOf(visibleGrants(rows, filters.grants, now, book, orders.grants, grants.wallet()));
}

/** Returns the ids of a list's rows as its pane shows them; the same array for the same rows. */
export function listIds(sources: RowSources, pane: ListPane): readonly string[] {
  switch (pane) {
    case 'deployments':
      return deploymentIds(sources);
    case 'files':
      return filePaths(sources);
    case 'grants':
      return grantIds(sources);
  }
}

/** Binds the cursor of a list to the id of its row, so that it follows the row when the list changes. */
export function bindCursor(sources: RowSources, pane: ListPane): void {
  const { screen } = sources;
  const before = screen.getState().cursors[pane];
  const cursor = holdCursor(listIds(sources, pane), before);
  if (cursor !== before) screen.lists.setCursor(pane, cursor);
}

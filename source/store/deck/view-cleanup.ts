import type { DifferenceStore } from '../editor/difference.ts';
import type { FilesStore } from '../files/files.ts';
import type { ScreenStore } from './screen/screen.ts';
import { holdsView } from './screen/main-view.ts';

/** Closes the file or difference of a view when pane 4 no longer shows it. Returns the function that stops it. */
export function closeViewsOfRemoved(stores: {
  readonly screen: ScreenStore;
  readonly files: Pick<FilesStore, 'close'>;
  readonly difference: Pick<DifferenceStore, 'close'>;
}): () => void {
  const { screen, files, difference } = stores;
  return screen.subscribe(({ main }, before) => {
    if (before.main.kind !== 'logs' && main.kind === 'logs') files.close();
    if (holdsView(before.main, 'diff') && !holdsView(main, 'diff')) difference.close();
  });
}

import type { StoreApi } from 'zustand/vanilla';
import type { FilesPlace } from '../files/files.ts';
import { noMarks } from '../lists/marks.ts';
import type { ScreenStore } from './screen/screen.ts';

interface ListedFiles {
  readonly state: Pick<StoreApi<{ readonly place: FilesPlace | undefined }>, 'subscribe'>;
}

/**
 * Remembers the marked files and the filter of each service while another one is listed, because they
 * are about the paths of one service. Returns the function that ends this.
 */
export function rememberFileViews(files: ListedFiles, screen: ScreenStore): () => void {
  const saved = new Map<string, { readonly marks: ReadonlySet<string>; readonly filter: string }>();
  const keyOf = ({ deploymentId, service }: FilesPlace): string =>
    JSON.stringify([deploymentId, service]);
  return files.state.subscribe(({ place }, before) => {
    if (place === before.place) return;
    const { marks, filters } = screen.getState();
    if (before.place !== undefined)
      saved.set(keyOf(before.place), { marks, filter: filters.files });
    const known = place && saved.get(keyOf(place));
    screen.listViews.setFileMarks(known?.marks ?? noMarks);
    screen.listViews.setFilter('files', known?.filter ?? '');
  });
}

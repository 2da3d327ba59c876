import type { StoreApi } from 'zustand/vanilla';
import type { FilesPlace } from '../files/files.ts';
import { noMarks } from '../lists/marks.ts';
import type { ScreenStore } from './screen/screen.ts';

interface ListedFiles {
  readonly state: Pick<StoreApi<{ readonly place: FilesPlace | undefined }>, 'subscribe'>;
}

/**
 * Remembers the marked files of each service while another one is listed, because marks are paths,
 * which are valid in one service only. Returns the function that ends this.
 */
export function rememberFileMarks(files: ListedFiles, screen: ScreenStore): () => void {
  const saved = new Map<string, ReadonlySet<string>>();
  const keyOf = ({ deploymentId, service }: FilesPlace): string =>
    JSON.stringify([deploymentId, service]);
  return files.state.subscribe(({ place }, before) => {
    if (place === before.place) return;
    const { marks } = screen.getState();
    if (before.place !== undefined) saved.set(keyOf(before.place), marks);
    screen.listViews.setFileMarks((place && saved.get(keyOf(place))) ?? noMarks);
  });
}

import { createStore, type StoreApi } from 'zustand/vanilla';
import type { FileBody, FilesClient } from '../../client/client.ts';
import type { Result, ServiceError } from '../../client/http/errors.ts';
import type { FileRecord } from '../../contract/files.ts';
import type { Clock } from '../time/clock.ts';
import { unfoldedAtMost } from './tree.ts';
import { createListing, type ListingStore } from '../lists/listing.ts';

export type { FileBody } from '../../client/client.ts';

/** The service whose files are listed. */
export interface FilesPlace {
  readonly deploymentId: string;
  readonly service: string;
}

/** A file opened in the viewer. */
export interface ViewedFile extends FilesPlace {
  readonly path: string;
  readonly body: FileBody | undefined;
  readonly error: ServiceError | undefined;
  /** When the fetch in flight was sent. */
  readonly loadingSince: number | undefined;
}

export interface FilesState {
  readonly place: FilesPlace | undefined;
  /** Folders whose fold differs from how their tree starts. */
  readonly toggled: ReadonlySet<string>;
  /** Fixed when the tree is first listed: a growing tree does not fold under the reader. */
  readonly startsFolded: boolean;
  readonly opened: ViewedFile | undefined;
}

export interface FilesStore {
  readonly list: ListingStore<FileRecord>;
  readonly state: StoreApi<FilesState>;
  /** Lists another service's files; the same place again changes nothing. */
  choose(place: FilesPlace | undefined): void;
  isFolded(path: string): boolean;
  toggleFold(path: string): void;
  /** Fetches a file of the current place for the viewer. */
  open(path: string): Promise<void>;
  close(): void;
}

export function createFiles(options: {
  readonly client: FilesClient;
  readonly clock: Clock;
}): FilesStore {
  const { client, clock } = options;
  const list = createListing<FileRecord>({ clock, key: (file) => file.path });
  const state = createStore<FilesState>(() => ({
    place: undefined,
    toggled: new Set(),
    startsFolded: false,
    opened: undefined,
  }));
  list.state.subscribe((now, before) => {
    if (before.loadedAt !== undefined || now.loadedAt === undefined) return;
    const files = now.rows.filter((row) => row.value.directory !== true);
    state.setState({ startsFolded: files.length > unfoldedAtMost });
  });
  let reading = new AbortController();

  function settleOpen(wanted: ViewedFile, result: Result<FileBody>): void {
    if (state.getState().opened !== wanted) return;
    const settled = result.ok
      ? { ...wanted, body: result.value, error: undefined, loadingSince: undefined }
      : { ...wanted, error: result.error, loadingSince: undefined };
    state.setState({ opened: settled });
  }

  return {
    list,
    state,
    choose(place) {
      const before = state.getState().place;
      if (before?.deploymentId === place?.deploymentId && before?.service === place?.service)
        return;
      reading.abort();
      state.setState({ place, toggled: new Set(), opened: undefined });
      list.reset(place && ((signal) => client.list(place.deploymentId, place.service, signal)));
      if (place !== undefined) void list.refresh();
    },
    isFolded(path) {
      const { startsFolded, toggled } = state.getState();
      return startsFolded !== toggled.has(path);
    },
    toggleFold(path) {
      const toggled = new Set(state.getState().toggled);
      if (!toggled.delete(path)) toggled.add(path);
      state.setState({ toggled });
    },
    async open(path) {
      const { place, opened } = state.getState();
      if (place === undefined) return;
      reading.abort();
      reading = new AbortController();
      const again = opened?.path === path ? opened.body : undefined;
      const wanted: ViewedFile = {
        ...place,
        path,
        body: again,
        error: undefined,
        loadingSince: clock.now(),
      };
      state.setState({ opened: wanted });
      settleOpen(wanted, await client.get(place.deploymentId, place.service, path, reading.signal));
    },
    close() {
      reading.abort();
      state.setState({ opened: undefined });
    },
  };
}

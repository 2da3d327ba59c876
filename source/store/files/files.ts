import { createStore, type StoreApi } from 'zustand/vanilla';
import type { FileBody } from '../../client/file-content.ts';
import type { FilesClient } from '../../client/files.ts';
import type { Result, ServiceError } from '../../client/http/errors.ts';
import type { FileRecord } from '../../contract/files.ts';
import type { Drafts } from '../drafts/drafts.ts';
import { type LocalPlace, placeKey } from '../drafts/places.ts';
import type { Clock } from '../time/clock.ts';
import type { KeyPause } from '../time/key-pause.ts';
import { type DraftedFiles, withNewFiles } from './new-files.ts';
import { unfoldedAtMost } from './tree.ts';
import { createListing, type ListingStore } from '../lists/listing.ts';

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
  /** Send time of the request in flight, ms since the epoch. */
  readonly loadingSince: number | undefined;
}

export interface FilesState {
  readonly place: FilesPlace | undefined;
  /** Folders that the reader folded or unfolded, against `startsFolded`. */
  readonly toggled: ReadonlySet<string>;
  /** Set when the tree is first listed, so that a growing tree stays unfolded. */
  readonly startsFolded: boolean;
  readonly opened: ViewedFile | undefined;
}

export interface FilesStore {
  readonly list: ListingStore<FileRecord>;
  readonly state: StoreApi<FilesState>;
  /** Returns the rows of the tree: the listed files, and those that only have a draft. */
  drafted(): DraftedFiles;
  /** Calls `changed` when the listing, the folds or the drafts change. */
  subscribe(changed: () => void): () => void;
  /** Lists the files of a service; does nothing when they are already listed. */
  choose(place: FilesPlace | undefined): void;
  /** Shows a file that was saved, also before the service lists it, and lists the files again. */
  noteSaved(file: LocalPlace): void;
  isFolded(path: string): boolean;
  toggleFold(path: string): void;
  /** Fetches a file of the listed service for the viewer. */
  open(path: string): Promise<void>;
  /**
   * Fetches the file in the viewer again. Its text stays until another one is there, also when the file
   * is gone; the same content stays the same object. Resolves with false when it could not be read.
   */
  reload(): Promise<boolean>;
  /** Follows a file of the viewer that this program has moved. */
  noteMoved(from: LocalPlace, to: LocalPlace): void;
  close(): void;
}

const noPaths: ReadonlySet<string> = new Set();

/** Creates the store of a service's files: their listing, its folds and the file in the viewer. */
export function createFiles(options: {
  readonly client: FilesClient;
  readonly clock: Clock;
  readonly drafts: Pick<Drafts, 'state'>;
  readonly keyPause?: Pick<KeyPause, 'workTurn'>;
}): FilesStore {
  const { client, clock, drafts, keyPause } = options;
  const list = createListing<FileRecord>({ clock, key: (file) => file.path, keyPause });
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
  let openRequest = new AbortController();

  function settleOpen(file: ViewedFile, result: Result<FileBody>): void {
    if (state.getState().opened !== file) return;
    const opened = result.ok
      ? { ...file, body: result.value, error: undefined, loadingSince: undefined }
      : { ...file, error: result.error, loadingSince: undefined };
    state.setState({ opened });
  }

  return {
    list,
    state,
    drafted() {
      const { rows, loadedAt } = list.state.getState();
      const { place } = state.getState();
      if (place === undefined || loadedAt === undefined) return { rows, newPaths: noPaths };
      return withNewFiles(rows, place, drafts.state.getState().drafts);
    },
    subscribe(changed) {
      const ends = [list, { state }, drafts].map((store) => store.state.subscribe(changed));
      return () => {
        for (const end of ends) end();
      };
    },
    choose(place) {
      const before = state.getState().place;
      if (before?.deploymentId === place?.deploymentId && before?.service === place?.service)
        return;
      openRequest.abort();
      state.setState({ place, toggled: new Set(), opened: undefined });
      list.reset(place && ((signal) => client.list(place.deploymentId, place.service, signal)));
      if (place !== undefined) void list.refresh();
    },
    noteSaved({ deploymentId, service, path }) {
      const { place } = state.getState();
      const isListed = list.state.getState().loadedAt !== undefined;
      if (isListed && place?.deploymentId === deploymentId && place.service === service) {
        list.add({ value: { path }, unknown: {} });
      }
      void list.refresh();
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
      openRequest.abort();
      openRequest = new AbortController();
      const previousBody = opened?.path === path ? opened.body : undefined;
      const file: ViewedFile = {
        ...place,
        path,
        body: previousBody,
        error: undefined,
        loadingSince: clock.now(),
      };
      state.setState({ opened: file });
      settleOpen(
        file,
        await client.get(place.deploymentId, place.service, path, openRequest.signal),
      );
    },
    async reload() {
      const file = state.getState().opened;
      if (file?.body === undefined) return true;
      const { deploymentId, service, path } = file;
      const result = await client.get(deploymentId, service, path, openRequest.signal);
      const isKnown = result.ok || result.error.code === 'not-found';
      const isSame = result.ok && Buffer.compare(result.value.bytes, file.body.bytes) === 0;
      if (isKnown) settleOpen(file, isSame ? { ...result, value: file.body } : result);
      return isKnown;
    },
    noteMoved(from, to) {
      const { opened } = state.getState();
      // A file that is being fetched is not at its old path any more; its pane says so.
      if (opened === undefined || opened.loadingSince !== undefined) return;
      if (placeKey(opened) === placeKey(from)) state.setState({ opened: { ...opened, ...to } });
    },
    close() {
      openRequest.abort();
      state.setState({ opened: undefined });
    },
  };
}

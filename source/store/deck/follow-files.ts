/** Follows the files in the editor and in the viewer while the list of files is fetched regularly. */
import { type LocalPlace, placeKey } from '../drafts/places.ts';
import type { EditorStore } from '../editor/editor.ts';
import type { FilesStore } from '../files/files.ts';
import {
  type ContentFetch,
  type ContentMark,
  contentMark,
  isRefetchDue,
} from '../files/followed-file.ts';
import type { Clock } from '../time/clock.ts';
import type { ScreenStore } from './screen/screen.ts';

/** An open file, and how it is fetched again. */
interface OpenFile {
  readonly place: LocalPlace;
  /** Bytes of the content that was fetched last. */
  readonly size: number;
  readonly isShown: boolean;
  /** Resolves with false when the file could not be read. */
  readonly refetch: () => Promise<boolean>;
  /** Returns another object after a fetch that found another content. */
  readonly version: () => unknown;
}

/** Refetches the file of one view when the list shows that it changed. */
class FollowedView {
  readonly #clock: Clock;
  readonly #markOf: (place: LocalPlace) => ContentMark;
  #last: (ContentFetch & { readonly key: string }) | undefined;
  #isFetching = false;

  constructor(clock: Clock, markOf: (place: LocalPlace) => ContentMark) {
    this.#clock = clock;
    this.#markOf = markOf;
  }

  /** Notes that the content of a file is being fetched. Returns the note. */
  noteFetch(place: LocalPlace): ContentFetch & { readonly key: string } {
    const at = this.#clock.now();
    const last = { key: placeKey(place), mark: this.#markOf(place), at, outcome: undefined };
    this.#last = last;
    return last;
  }

  /** Called when the list was fetched. */
  async check(file: OpenFile | undefined): Promise<void> {
    if (file === undefined || this.#isFetching) return;
    const { place } = file;
    if (this.#last?.key !== placeKey(place)) this.noteFetch(place);
    const now = { ...file, mark: this.#markOf(place), at: this.#clock.now() };
    const last = this.#last;
    if (last === undefined || !isRefetchDue(last, now)) return;
    this.#isFetching = true;
    const sent = this.noteFetch(place);
    const version = file.version();
    const isRead = await file.refetch();
    this.#isFetching = false;
    // The file may have been opened again meanwhile.
    if (this.#last !== sent) return;
    const outcome = file.version() === version ? 'same' : 'changed';
    if (isRead) this.#last = { ...sent, outcome };
    else this.#last = { ...sent, mark: last.mark, outcome: 'failed' };
  }
}

/** Starts following. Returns the function that stops it. */
export function followFiles(stores: {
  readonly clock: Clock;
  readonly screen: Pick<ScreenStore, 'getState'>;
  readonly files: Pick<FilesStore, 'list' | 'state' | 'reload'>;
  readonly editor: Pick<EditorStore, 'state'>;
}): () => void {
  const { clock, screen, files, editor } = stores;
  const markOf = (place: LocalPlace): ContentMark => {
    const listed = files.state.getState().place;
    const { rows, loadedAt } = files.list.state.getState();
    const isListed =
      listed?.deploymentId === place.deploymentId && listed.service === place.service;
    if (!isListed || loadedAt === undefined) return undefined;
    return contentMark(rows.find(({ value }) => value.path === place.path)?.value);
  };
  const edited = new FollowedView(clock, markOf);
  const viewed = new FollowedView(clock, markOf);
  const isMain = (kind: 'editor' | 'file'): boolean => screen.getState().main.kind === kind;

  const editedFile = (): OpenFile | undefined => {
    const { file } = editor.state.getState();
    const base = file?.saving.state.getState().base;
    return (
      file &&
      base && {
        place: file.place,
        size: base.bytes.length,
        isShown: isMain('editor'),
        refetch: () => file.saving.follow(),
        version: () => file.saving.state.getState(),
      }
    );
  };
  const viewedFile = (): OpenFile | undefined => {
    const { opened } = files.state.getState();
    return (
      opened?.body && {
        place: opened,
        size: opened.body.bytes.length,
        isShown: isMain('file'),
        refetch: () => files.reload(),
        version() {
          const now = files.state.getState().opened;
          return now?.error ?? now?.body;
        },
      }
    );
  };

  const ends = [
    editor.state.subscribe(({ opening }, before) => {
      if (opening === undefined || opening.place === before.opening?.place) return;
      if ('path' in opening.place) edited.noteFetch(opening.place);
    }),
    files.state.subscribe(({ opened }, before) => {
      const isSent = opened?.loadingSince !== undefined && opened !== before.opened;
      if (isSent) viewed.noteFetch(opened);
    }),
    files.list.state.subscribe(({ loadedAt }, before) => {
      if (loadedAt === before.loadedAt) return;
      void edited.check(editedFile());
      void viewed.check(viewedFile());
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

import { createStore, type StoreApi } from 'zustand/vanilla';
import type { FilesClient } from '../client/client.ts';
import type { TextEditor } from '../editor/text-editor.ts';
import type { Clock } from './clock.ts';
import type { Drafts } from './drafts.ts';
import type { EditorFile, EditorLook } from './editor-file.ts';
import { openingOf } from './editor-opening.ts';
import type { SavedChange } from './editor-save.ts';
import { type KeptPlace, placeKey } from './kept.ts';
import { isUnderWay, type SaveChoice, type SaveOutcome } from './save-state.ts';
import type { Trash } from './trash.ts';

export type { EditorFile, EditorLook } from './editor-file.ts';

export interface EditorOpening {
  readonly place: KeptPlace;
  /** Its beginning, where all of it takes long to read. */
  readonly preview: TextEditor | undefined;
}

export interface EditorState {
  /** The file that is being fetched. */
  readonly opening: EditorOpening | undefined;
  readonly file: EditorFile | undefined;
  /** Whether the text in it is another one than on the service. */
  readonly unsaved: boolean;
  /** Grows with all that is done in the editor. */
  readonly revision: number;
}

/** What came of opening a file. */
export type EditorOpened =
  | {
      readonly kind: 'open';
      readonly file: EditorFile;
      /** The draft of it is what the service has: it was sent, and its answer never seen. */
      readonly arrived: boolean;
    }
  | { readonly kind: 'refused'; readonly sentence: string }
  /** Something else was opened meanwhile. */
  | { readonly kind: 'superseded' };

export interface EditorStore {
  readonly state: StoreApi<EditorState>;
  /** Loads what edits, ahead of the first file. */
  prepare(): void;
  /**
   * Opens a file with its draft, if there is one. A file that is open, or whose saving is not settled,
   * goes on as it is. `onPreview` is called when the beginning of a long one can be seen.
   */
  open(place: KeptPlace, look: EditorLook, onPreview?: () => void): Promise<EditorOpened>;
  /** Gives up a file that is being fetched. */
  stopOpening(): void;
  /** Does something in the text; what is typed is kept as a draft. */
  act<T>(action: (text: TextEditor) => T): T | undefined;
  /** `^S`. Settles when nothing is under way any more. */
  save(): Promise<void>;
  /** Answers the box that a save has led to. Settles like {@link save}. */
  choose(choice: SaveChoice): Promise<void>;
  /** Closes the editor; its draft stays, and what is being saved goes on. */
  close(): void;
}

export interface EditorOptions {
  readonly client: FilesClient;
  readonly clock: Clock;
  readonly drafts: Drafts;
  readonly trash: Trash;
  readonly operation: (deploymentId: string) => () => void;
  readonly onSaved: (change: SavedChange) => Promise<void> | void;
  /** What came of a save, or of an answer to its box. */
  readonly onOutcome: (place: KeptPlace, outcome: SaveOutcome) => void;
}

const closed = { opening: undefined, file: undefined, unsaved: false };

/** The one file that is edited. What edits it is loaded with the first one. */
export function createEditor(options: EditorOptions): EditorStore {
  const { client, drafts } = options;
  const state = createStore<EditorState>(() => ({ ...closed, revision: 0 }));
  let fetching = new AbortController();
  /** By {@link placeKey}: files whose saving is not settled, also when something else is edited. */
  const underWay = new Map<string, EditorFile>();

  function renew(change: Partial<EditorState> = {}): void {
    state.setState((before) => {
      const file = 'file' in change ? change.file : before.file;
      const unsaved = file?.text.isChanged() ?? false;
      return { ...change, unsaved, revision: before.revision + 1 };
    });
  }

  async function fetched(
    place: KeptPlace,
    look: EditorLook,
    onPreview: () => void,
  ): Promise<EditorOpened> {
    fetching.abort();
    const { signal } = (fetching = new AbortController());
    state.setState({ opening: { place, preview: undefined } });
    const { deploymentId, service, path } = place;
    const [answer, draft, { openEditorFile }] = await Promise.all([
      client.get(deploymentId, service, path, signal),
      drafts.read(place),
      import('./editor-file.ts'),
    ]);
    if (signal.aborted) return { kind: 'superseded' };
    const result = openingOf(place, answer, draft);
    if (!result.ok) {
      state.setState({ opening: undefined });
      return { kind: 'refused', sentence: result.sentence };
    }
    const file = await openEditorFile({
      ...options,
      place: { deploymentId, service, path },
      opening: result.opening,
      look,
      onPreview(preview) {
        if (signal.aborted) return;
        renew({ opening: { place, preview }, file: undefined });
        onPreview();
      },
      onShown: () => renew(),
    });
    if (signal.aborted) return { kind: 'superseded' };
    const arrived = draft !== undefined && result.opening.draft === undefined;
    if (arrived) void drafts.saved(place);
    watchSaving(file);
    state.getState().file?.leave();
    renew({ opening: undefined, file });
    return { kind: 'open', file, arrived };
  }

  function watchSaving(file: EditorFile): void {
    const key = placeKey(file.place);
    file.saving.state.subscribe((now, before) => {
      if (isUnderWay(now)) underWay.set(key, file);
      else underWay.delete(key);
      if (state.getState().file === file) renew();
      const { outcome } = now;
      if (outcome !== undefined && outcome !== before.outcome) {
        options.onOutcome(file.place, outcome);
      }
    });
  }

  return {
    state,
    prepare: () => void import('./editor-file.ts'),
    async open(place, look, onPreview = () => {}) {
      const { file } = state.getState();
      const key = placeKey(place);
      const isOpen = file !== undefined && placeKey(file.place) === key;
      // A second editor of it would not know what was sent, and its draft would go with the first.
      const known = isOpen ? file : underWay.get(key);
      if (known === undefined) return fetched(place, look, onPreview);
      fetching.abort();
      renew({ opening: undefined, file: known });
      return { kind: 'open', file: known, arrived: false };
    },
    stopOpening() {
      fetching.abort();
      state.setState({ opening: undefined });
    },
    act(action) {
      const { file } = state.getState();
      if (file === undefined) return undefined;
      const result = action(file.text);
      file.keepDraft();
      renew();
      return result;
    },
    save: async () => state.getState().file?.saving.save(),
    choose: async (choice) => state.getState().file?.saving.choose(choice),
    close() {
      fetching.abort();
      state.getState().file?.leave();
      // It is said to be kept, which the end of a pause in the typing would make true only later.
      if (state.getState().unsaved) void drafts.flush();
      state.setState((before) => ({ ...closed, revision: before.revision + 1 }));
    },
  };
}

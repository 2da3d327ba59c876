import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DeploymentsClient } from '../../client/deployments.ts';
import type { FilesClient } from '../../client/files.ts';
import type { TextEditor } from '../../editor/text-editor.ts';
import type { Clock } from '../time/clock.ts';
import type { Drafts } from '../drafts/drafts.ts';
import { createDocumentLocks } from './document-locks.ts';
import type { EditedDocument, EditorLook } from './edited-text.ts';
import type { EditorDefinition } from './definition.ts';
import { closedEditor, type EditorState } from './editor-state.ts';
import type { EditorFile } from './file.ts';
import type { Template, DefinitionOpened, EditorOpened } from './opened-document.ts';
import { openingOf, openingOfNew } from './opening.ts';
import type { FileWrites } from '../drafts/file-writes.ts';
import type { DraftLocks } from '../drafts/locks.ts';
import {
  type DraftPlace,
  type LocalPlace,
  type NewDeployment,
  placeKey,
} from '../drafts/places.ts';
import { isSaving, type SaveChoice, type SaveOutcome } from './save-state.ts';
import type { SdlSummary } from '../../contract/sdl/reading.ts';
import type { Trash } from '../drafts/trash.ts';
import { earlyPart, loadedOr } from '../../system/lazy-part.ts';

const filePart = earlyPart(() => import('./file.ts'));
const definitionPart = earlyPart(() => import('./definition.ts'));

export interface EditorStore {
  readonly state: StoreApi<EditorState>;
  /** Loads the editor's code before the first file. */
  prepare(): void;
  /**
   * Opens a file and resumes its draft. Returns the existing editor of a file that is open or has an
   * unsettled save. `onPreview` is called when the beginning of a long file can be shown; `takeOver`
   * opens it although another console has it open.
   */
  open(
    place: LocalPlace,
    look: EditorLook,
    onPreview?: () => void,
    takeOver?: boolean,
  ): Promise<EditorOpened>;
  /** Opens an empty file that the first save creates, or its draft; refuses an existing file. */
  openNew(place: LocalPlace, look: EditorLook, takeOver?: boolean): Promise<EditorOpened>;
  /**
   * Opens the definition of a new deployment: its draft, else the template of `begin`. Returns the
   * existing editor of a definition that is open or is being sent.
   */
  compose(
    place: NewDeployment,
    look: EditorLook,
    begin: () => Promise<Template>,
    takeOver?: boolean,
  ): Promise<DefinitionOpened>;
  /** Cancels the fetch of a document. */
  stopOpening(): void;
  /** Runs an edit and stores the changed text as a draft. */
  act<T>(action: (text: TextEditor) => T): T | undefined;
  /** Saves the file (`^S`). Resolves when no request of the save is in flight. */
  save(): Promise<void>;
  /** Answers the box of a save. Resolves like {@link save}. */
  choose(choice: SaveChoice): Promise<void>;
  /** Follows a file that this program has moved, unless a save of it or another draft is in the way. */
  noteMoved(from: LocalPlace, to: LocalPlace): void;
  /** Notes a file that this program has written or deleted, other than by a save. */
  noteWritten(file: LocalPlace): void;
  /** Closes the editor; the draft stays, and a save in flight continues. */
  close(): void;
}

export interface EditorOptions {
  readonly client: FilesClient;
  readonly create: DeploymentsClient['create'];
  /** Loads the parser of definitions. */
  readonly readSdl: () => Promise<(text: string) => SdlSummary>;
  readonly clock: Clock;
  readonly drafts: Drafts;
  readonly locks: DraftLocks;
  /** Called when another console has taken over the open document. */
  readonly onTakenOver: (place: DraftPlace, pid: number) => void;
  readonly trash: Trash;
  /** Receives the report of each write of a file. */
  readonly writes: FileWrites;
  /** Called when a save changed its file on the service. */
  readonly onSaved: (file: LocalPlace) => void;
  /** Called with the outcome of a save or of an answer to its box. */
  readonly onOutcome: (place: LocalPlace, outcome: SaveOutcome) => void;
}

/** Creates the editor, which edits one file or definition at a time and loads its code lazily. */
export function createEditor(options: EditorOptions): EditorStore {
  const { client, drafts } = options;
  const state = createStore<EditorState>(() => ({ ...closedEditor, revision: 0 }));
  const locks = createDocumentLocks({ ...options, state });
  let activeFetch = new AbortController();
  /** Files with an unsettled save, by {@link placeKey}; they may be closed. */
  const unsettledFiles = new Map<string, EditorFile>();
  /** Definitions with a request in flight, by {@link placeKey}; they may be closed. */
  const pendingDefinitions = new Map<string, EditorDefinition>();

  function update(change: Partial<Pick<EditorState, 'opening' | 'document'>> = {}): void {
    state.setState((before) => {
      const document = 'document' in change ? change.document : before.document;
      const file = document?.kind === 'file' ? document : undefined;
      const unsaved = document?.text.isModified() ?? false;
      return { ...change, file, unsaved, revision: before.revision + 1 };
    });
  }

  function show(document: EditorFile | EditorDefinition): void {
    const before: EditedDocument | undefined = state.getState().document;
    if (before !== document) before?.leave();
    update({ opening: undefined, document });
    if (before !== undefined && before !== document) void locks.release(before.place);
  }

  /** Opens a document; a part of the program that can't be loaded refuses it. */
  function openOrRefuse<T>(
    place: DraftPlace,
    opens: () => Promise<T>,
  ): Promise<T | { readonly kind: 'refused'; readonly sentence: string }> {
    return loadedOr((sentence) => {
      state.setState({ opening: undefined });
      void locks.release(place);
      return { kind: 'refused' as const, sentence };
    }, opens);
  }

  /** Unlocks a document whose opening was replaced by another. */
  function superseded(place: DraftPlace): { readonly kind: 'superseded' } {
    void locks.release(place);
    return { kind: 'superseded' };
  }

  async function fetchFile(
    place: LocalPlace,
    look: EditorLook,
    onPreview: () => void,
    chooseOpening: typeof openingOf,
    takeOver: boolean,
  ): Promise<EditorOpened> {
    activeFetch.abort();
    const { signal } = (activeFetch = new AbortController());
    state.setState({ opening: { place, title: place.path, preview: undefined } });
    const { deploymentId, service, path } = place;
    const [locked, answer, draft, { openEditorFile }] = await Promise.all([
      locks.lock(place, takeOver),
      client.get(deploymentId, service, path, signal),
      drafts.read(place),
      filePart(),
    ]);
    if (signal.aborted) return superseded(place);
    if (!locked.ok) {
      state.setState({ opening: undefined });
      return { kind: 'locked', pid: locked.pid };
    }
    const result = chooseOpening(place, answer, draft);
    if (!result.ok) {
      state.setState({ opening: undefined });
      void locks.release(place);
      return { kind: 'refused', sentence: result.sentence };
    }
    const file = await openEditorFile({
      ...options,
      place: { deploymentId, service, path },
      opening: result.opening,
      look,
      onPreview(preview) {
        if (signal.aborted) return;
        update({ opening: { place, title: place.path, preview }, document: undefined });
        onPreview();
      },
      onShown: () => update(),
    });
    if (signal.aborted) return superseded(place);
    const arrived = draft !== undefined && result.opening.draft === undefined;
    if (arrived) void drafts.saved(place);
    watchSaving(file);
    show(file);
    return { kind: 'open', file, arrived };
  }

  async function openDefinition(
    place: NewDeployment,
    look: EditorLook,
    begin: () => Promise<Template>,
    takeOver: boolean,
  ): Promise<DefinitionOpened> {
    activeFetch.abort();
    const { signal } = (activeFetch = new AbortController());
    state.setState({ opening: { place, title: 'new deployment', preview: undefined } });
    const [locked, draft] = await Promise.all([locks.lock(place, takeOver), drafts.read(place)]);
    if (!locked.ok && !signal.aborted) {
      state.setState({ opening: undefined });
      return { kind: 'locked', pid: locked.pid };
    }
    const [template, readSdl, { openEditorDefinition }] = await Promise.all([
      draft === undefined ? begin() : { ok: true as const, text: draft.base ?? '' },
      options.readSdl(),
      definitionPart(),
    ]);
    if (signal.aborted) return superseded(place);
    if (!template.ok) {
      state.setState({ opening: undefined });
      void locks.release(place);
      return { kind: 'refused', sentence: template.sentence };
    }
    const definition = await openEditorDefinition({
      ...options,
      place,
      base: template.text,
      draft,
      look,
      readSdl,
      onShown: () => update(),
      // A second editor of this definition would not know about the request in flight.
      onBusy() {
        if (definition.busy() === undefined) pendingDefinitions.delete(placeKey(place));
        else pendingDefinitions.set(placeKey(place), definition);
      },
    });
    if (signal.aborted) return superseded(place);
    show(definition);
    return { kind: 'open', definition };
  }

  async function openFile(
    ...[place, look, onPreview, chooseOpening, takeOver]: Parameters<typeof fetchFile>
  ): Promise<EditorOpened> {
    // A second editor of this file would not know about the save, which removes the draft.
    const existing = openedAt(place) ?? unsettledFiles.get(placeKey(place));
    if (existing === undefined) return fetchFile(place, look, onPreview, chooseOpening, takeOver);
    activeFetch.abort();
    show(existing);
    void locks.lock(place, false);
    void existing.saving.follow();
    return { kind: 'open', file: existing, arrived: false };
  }

  /** Returns the file in the editor if it is this one. */
  function openedAt(place: LocalPlace): EditorFile | undefined {
    const { file } = state.getState();
    return file && placeKey(file.place) === placeKey(place) ? file : undefined;
  }

  function watchSaving(file: EditorFile): void {
    file.saving.state.subscribe((now, before) => {
      const key = placeKey(file.place);
      if (isSaving(now)) unsettledFiles.set(key, file);
      else unsettledFiles.delete(key);
      if (state.getState().file === file) update();
      const { outcome } = now;
      if (outcome !== undefined && outcome !== before.outcome) {
        options.onOutcome(file.place, outcome);
      }
    });
  }

  return {
    state,
    prepare: () => void filePart().catch(() => {}),
    open: (place, look, onPreview = () => {}, takeOver = false) =>
      openOrRefuse(place, () => openFile(place, look, onPreview, openingOf, takeOver)),
    openNew: (place, look, takeOver = false) =>
      openOrRefuse(place, () => openFile(place, look, () => {}, openingOfNew, takeOver)),
    async compose(place, look, begin, takeOver = false) {
      const { document } = state.getState();
      const key = placeKey(place);
      const isOpen = document?.kind === 'definition' && placeKey(document.place) === key;
      const existing = isOpen ? document : pendingDefinitions.get(key);
      if (existing === undefined) {
        return openOrRefuse(place, () => openDefinition(place, look, begin, takeOver));
      }
      activeFetch.abort();
      show(existing);
      void locks.lock(place, false);
      return { kind: 'open', definition: existing };
    },
    stopOpening() {
      activeFetch.abort();
      state.setState({ opening: undefined });
    },
    act(action) {
      const { document } = state.getState();
      if (document === undefined) return undefined;
      const result = action(document.text);
      document.keepDraft();
      update();
      return result;
    },
    save: async () => state.getState().file?.saving.save(),
    choose: async (choice) => state.getState().file?.saving.choose(choice),
    noteMoved(from, to) {
      const file = openedAt(from);
      if (file === undefined || isSaving(file.saving.state.getState())) return;
      if (drafts.state.getState().drafts.has(placeKey(to))) return;
      file.moveTo(to);
      update();
      void locks.lock(to, false);
      void locks.release(from);
    },
    noteWritten: (file) => openedAt(file)?.saving.noteWritten(),
    close() {
      activeFetch.abort();
      const { document, unsaved } = state.getState();
      document?.leave();
      // The message after closing says that the draft is stored, so write it now.
      if (unsaved) void drafts.flush();
      state.setState((before) => ({ ...closedEditor, revision: before.revision + 1 }));
      if (document !== undefined) void locks.release(document.place);
    },
  };
}

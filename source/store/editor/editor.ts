import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DeploymentsClient, FilesClient } from '../../client/client.ts';
import type { TextEditor } from '../../editor/text-editor.ts';
import type { Clock } from '../time/clock.ts';
import type { Drafts } from '../drafts/drafts.ts';
import type { EditedDocument, EditorLook } from './edited-text.ts';
import type { EditorDefinition } from './definition.ts';
import type { EditorFile } from './file.ts';
import type { Template, DefinitionOpened, EditorOpened } from './opened-document.ts';
import { openingOf } from './opening.ts';
import type { FileWrites } from '../drafts/file-writes.ts';
import { type LocalPlace, type NewDeployment, placeKey } from '../drafts/places.ts';
import { isSaving, type SaveChoice, type SaveOutcome } from './save-state.ts';
import type { SdlSummary } from '../../contract/sdl/reading.ts';
import type { Trash } from '../drafts/trash.ts';

export type { EditedDocument, EditorLook } from './edited-text.ts';
export type { CreationOutcome, EditorDefinition } from './definition.ts';
export type { SdlSummary } from '../../contract/sdl/reading.ts';
export type { EditorFile } from './file.ts';
export type { Template } from './opened-document.ts';

export interface EditorOpening {
  readonly place: LocalPlace | NewDeployment;
  /** What it will be called above the text. */
  readonly title: string;
  /** Its beginning, where all of it takes long to read. */
  readonly preview: TextEditor | undefined;
}

export interface EditorState {
  /** What is being fetched. */
  readonly opening: EditorOpening | undefined;
  /** What is edited. */
  readonly document: EditorFile | EditorDefinition | undefined;
  /** The same, where it is a file of a service. */
  readonly file: EditorFile | undefined;
  /** Whether the text in it is another one than on the service. */
  readonly unsaved: boolean;
  /** Grows with all that is done in the editor. */
  readonly revision: number;
}

export interface EditorStore {
  readonly state: StoreApi<EditorState>;
  /** Loads what edits, ahead of the first file. */
  prepare(): void;
  /**
   * Opens a file with its draft, if there is one. A file that is open, or whose saving is not settled,
   * goes on as it is. `onPreview` is called when the beginning of a long one can be seen.
   */
  open(place: LocalPlace, look: EditorLook, onPreview?: () => void): Promise<EditorOpened>;
  /**
   * Opens the definition of a deployment that is to be created: with its draft, else with what it
   * begins with. One that is open, or is being sent, goes on as it is.
   */
  compose(
    place: NewDeployment,
    look: EditorLook,
    begin: () => Promise<Template>,
  ): Promise<DefinitionOpened>;
  /** Gives up what is being fetched. */
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
  readonly create: DeploymentsClient['create'];
  /** Loads what reads definitions. */
  readonly readSdl: () => Promise<(text: string) => SdlSummary>;
  readonly clock: Clock;
  readonly drafts: Drafts;
  readonly trash: Trash;
  /** Takes the report of each write of a file. */
  readonly writes: FileWrites;
  /** Called when a save changed its file on the service. */
  readonly onSaved: (file: LocalPlace) => void;
  /** What came of a save, or of an answer to its box. */
  readonly onOutcome: (place: LocalPlace, outcome: SaveOutcome) => void;
}

const closed = { opening: undefined, document: undefined, file: undefined, unsaved: false };

/** The one text that is edited: a file, or a definition. What edits it is loaded with the first one. */
export function createEditor(options: EditorOptions): EditorStore {
  const { client, drafts } = options;
  const state = createStore<EditorState>(() => ({ ...closed, revision: 0 }));
  let fetching = new AbortController();
  /** By {@link placeKey}: what is being sent or not settled, also when something else is edited. */
  const underWay = new Map<string, EditorFile>();
  const beingCreated = new Map<string, EditorDefinition>();

  function renew(change: Partial<Pick<EditorState, 'opening' | 'document'>> = {}): void {
    state.setState((before) => {
      const document = 'document' in change ? change.document : before.document;
      const file = document?.kind === 'file' ? document : undefined;
      const unsaved = document?.text.isModified() ?? false;
      return { ...change, file, unsaved, revision: before.revision + 1 };
    });
  }

  /** From now on what is edited is this. */
  function show(document: EditorFile | EditorDefinition): void {
    const before: EditedDocument | undefined = state.getState().document;
    if (before !== document) before?.leave();
    renew({ opening: undefined, document });
  }

  async function fetched(
    place: LocalPlace,
    look: EditorLook,
    onPreview: () => void,
  ): Promise<EditorOpened> {
    fetching.abort();
    const { signal } = (fetching = new AbortController());
    state.setState({ opening: { place, title: place.path, preview: undefined } });
    const { deploymentId, service, path } = place;
    const [answer, draft, { openEditorFile }] = await Promise.all([
      client.get(deploymentId, service, path, signal),
      drafts.read(place),
      import('./file.ts'),
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
        renew({ opening: { place, title: place.path, preview }, document: undefined });
        onPreview();
      },
      onShown: () => renew(),
    });
    if (signal.aborted) return { kind: 'superseded' };
    const arrived = draft !== undefined && result.opening.draft === undefined;
    if (arrived) void drafts.saved(place);
    watchSaving(file);
    show(file);
    return { kind: 'open', file, arrived };
  }

  async function composed(
    place: NewDeployment,
    look: EditorLook,
    begin: () => Promise<Template>,
  ): Promise<DefinitionOpened> {
    fetching.abort();
    const { signal } = (fetching = new AbortController());
    state.setState({ opening: { place, title: 'new deployment', preview: undefined } });
    const draft = await drafts.read(place);
    const [begun, readSdl, { openEditorDefinition }] = await Promise.all([
      draft === undefined ? begin() : { ok: true as const, text: draft.base ?? '' },
      options.readSdl(),
      import('./definition.ts'),
    ]);
    if (signal.aborted) return { kind: 'superseded' };
    if (!begun.ok) {
      state.setState({ opening: undefined });
      return { kind: 'refused', sentence: begun.sentence };
    }
    const definition = await openEditorDefinition({
      ...options,
      place,
      base: begun.text,
      draft,
      look,
      readSdl,
      onShown: () => renew(),
      // Opened again meanwhile, it is the same one: a second would not know what was sent.
      onBusy() {
        if (definition.busy() === undefined) beingCreated.delete(placeKey(place));
        else beingCreated.set(placeKey(place), definition);
      },
    });
    if (signal.aborted) return { kind: 'superseded' };
    show(definition);
    return { kind: 'open', definition };
  }

  function watchSaving(file: EditorFile): void {
    const key = placeKey(file.place);
    file.saving.state.subscribe((now, before) => {
      if (isSaving(now)) underWay.set(key, file);
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
    prepare: () => void import('./file.ts'),
    async open(place, look, onPreview = () => {}) {
      const { file } = state.getState();
      const key = placeKey(place);
      const isOpen = file !== undefined && placeKey(file.place) === key;
      // A second editor of it would not know what was sent, and its draft would go with the first.
      const known = isOpen ? file : underWay.get(key);
      if (known === undefined) return fetched(place, look, onPreview);
      fetching.abort();
      show(known);
      return { kind: 'open', file: known, arrived: false };
    },
    async compose(place, look, begin) {
      const { document } = state.getState();
      const key = placeKey(place);
      const isOpen = document?.kind === 'definition' && placeKey(document.place) === key;
      const known = isOpen ? document : beingCreated.get(key);
      if (known === undefined) return composed(place, look, begin);
      fetching.abort();
      show(known);
      return { kind: 'open', definition: known };
    },
    stopOpening() {
      fetching.abort();
      state.setState({ opening: undefined });
    },
    act(action) {
      const { document } = state.getState();
      if (document === undefined) return undefined;
      const result = action(document.text);
      document.keepDraft();
      renew();
      return result;
    },
    save: async () => state.getState().file?.saving.save(),
    choose: async (choice) => state.getState().file?.saving.choose(choice),
    close() {
      fetching.abort();
      state.getState().document?.leave();
      // It is said to be kept, which the end of a pause in the typing would make true only later.
      if (state.getState().unsaved) void drafts.flush();
      state.setState((before) => ({ ...closed, revision: before.revision + 1 }));
    },
  };
}

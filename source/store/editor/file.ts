import type { EditorState } from '@codemirror/state';
import type { FilesClient } from '../../client/client.ts';
import type { TextEditor } from '../../editor/text-editor.ts';
import type { Clock } from '../time/clock.ts';
import type { Drafts } from '../drafts/drafts.ts';
import {
  type EditedDocument,
  type EditorLook,
  goToNext,
  isSameText,
  openText,
} from './edited-text.ts';
import type { Opening } from './opening.ts';
import { createEditorSave, type EditorSave } from './save.ts';
import type { FileWrites } from '../drafts/file-writes.ts';
import { type WriteResult, type LocalPlace } from '../drafts/places.ts';
import type { SavePhase } from './save-state.ts';
import type { Trash } from '../drafts/trash.ts';

/** One file in the editor: its text, its saving and its draft. */
export interface EditorFile extends EditedDocument {
  readonly kind: 'file';
  readonly place: LocalPlace;
  readonly saving: EditorSave;
  /** A draft of it was on the service already: it may not be applied. */
  readonly arrived: boolean;
}

export interface EditorFileOptions {
  readonly place: LocalPlace;
  readonly opening: Opening;
  readonly look: EditorLook;
  readonly client: FilesClient;
  readonly clock: Clock;
  readonly drafts: Drafts;
  readonly trash: Trash;
  /** Takes the report of each write. */
  readonly writes: FileWrites;
  /** Called when a save changed the file on the service. */
  readonly onSaved: (file: LocalPlace) => void;
  /** The beginning of a long text, to be looked at while the rest is read. */
  readonly onPreview: (text: TextEditor) => void;
  /** The text in the editor is another one, by no key. */
  readonly onShown: () => void;
}

/** Opens a text in slices: a large one holds up no key. */
export async function openEditorFile(options: EditorFileOptions): Promise<EditorFile> {
  const { place, opening, look, clock, drafts } = options;
  const { base, draft } = opening;
  const {
    text,
    name,
    language: reading,
  } = await openText({
    base: base?.text ?? '',
    draft: draft?.text,
    fileName: place.path,
    look,
    clock,
    onPreview: options.onPreview,
    onRead: options.onShown,
  });

  /** The states whose texts were read to be saved: one of them is what the service has next. */
  let asked: { readonly text: string; readonly state: EditorState }[] = [];
  let kept = text.state;

  function readText(): string {
    const { state } = text;
    const last = asked.at(-1);
    if (last !== undefined && isSameText(last.state, state)) return last.text;
    const now = text.text();
    asked.push({ text: now, state });
    return now;
  }

  function noteBase(saved: string | undefined): void {
    const known = asked.find((one) => one.text === saved);
    if (known === undefined) text.setSavedText(saved ?? '');
    else text.markSaved(known.state);
    asked = [];
  }

  async function keepMine(mine: string): Promise<WriteResult> {
    const before = saving.state.getState().base?.text;
    drafts.typed(place, () => ({ text: mine, base: before }));
    await drafts.flush();
    // The draft goes when theirs is typed in, so mine is kept for longer as well.
    return options.trash.put({
      ...place,
      reason: 'replaced',
      bytes: new TextEncoder().encode(mine),
      at: clock.now(),
    });
  }

  const saving = createEditorSave({
    client: options.client,
    clock,
    ...place,
    base,
    readText,
    showText(shown) {
      text.replaceText(shown ?? '');
      // What was taken instead of the draft leaves it where it is.
      if (saving.state.getState().outcome?.kind === 'taken') kept = text.state;
      else settleDraft();
      options.onShown();
    },
    keepDraft: () => drafts.flush(),
    keepTheirs: async ({ bytes }) =>
      options.trash.put({ ...place, reason: 'replaced', bytes, at: clock.now() }),
    keepMine,
    writes: options.writes,
    onSaved: options.onSaved,
  });

  saving.state.subscribe((now, before) => {
    if (now.base !== before.base) {
      noteBase(now.base?.text);
      if (now.outcome?.kind !== 'taken') settleDraft();
    }
  });

  function settleDraft(): void {
    kept = text.state;
    if (!text.isModified()) return void drafts.saved(place);
    drafts.typed(place, () => ({
      text: text.textPieces(),
      base: saving.state.getState().base?.text,
    }));
  }

  return {
    kind: 'file',
    place,
    title: place.path,
    text,
    language: name,
    saving,
    openedAt: clock.now(),
    draftAt: draft?.at,
    arrived: opening.arrived,
    isPlain: () => reading.isLoaded() && !text.isHighlighted,
    busy: () => (sendingPhases.has(saving.state.getState().phase.kind) ? 'saving' : undefined),
    problems: () => text.problems(),
    keepDraft() {
      if (isSameText(text.state, kept)) return;
      reading.changed();
      settleDraft();
    },
    nextProblem: () => goToNext(text, text.problems()),
    leave: () => reading.pause(),
  };
}

const sendingPhases: ReadonlySet<SavePhase['kind']> = new Set(['checking', 'sending', 'keeping']);

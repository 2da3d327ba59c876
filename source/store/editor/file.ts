import type { EditorState } from '@codemirror/state';
import type { FilesClient } from '../../client/files.ts';
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
import type { Opening, SinceDraft } from './opening.ts';
import { bytesOf } from './save-check.ts';
import { createEditorSave, type EditorSave } from './save.ts';
import type { FileWrites } from '../drafts/file-writes.ts';
import { type WriteResult, type LocalPlace } from '../drafts/places.ts';
import type { RemoteChange, SavePhase, SaveState } from './save-state.ts';
import type { Trash, Trashed } from '../drafts/trash.ts';
import { digestOf } from '../drafts/digest.ts';

/** One file in the editor, with its save and its draft. */
export interface EditorFile extends EditedDocument {
  readonly kind: 'file';
  readonly place: LocalPlace;
  /** Goes on with the file at the path that it was moved to. */
  moveTo(place: LocalPlace): void;
  readonly saving: EditorSave;
  /** Change of the file on the service since the resumed draft was typed. */
  readonly sinceDraft: SinceDraft;
  /** True when the service already had the draft; the change may be unapplied. */
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
  /** Receives the report of each write. */
  readonly writes: FileWrites;
  /** Called when a save changed the file on the service. */
  readonly onSaved: (file: LocalPlace) => void;
  /** Called with the beginning of a long text while the rest is read. */
  readonly onPreview: (text: TextEditor) => void;
  /** Called when the text or its problems change without a key. */
  readonly onShown: () => void;
}

/** Opens a file in slices, so that a large one does not delay keys. */
export async function openEditorFile(options: EditorFileOptions): Promise<EditorFile> {
  const { opening, look, clock, drafts } = options;
  let { place } = options;
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

  /** States whose texts were read for a save; one of them becomes the saved state. */
  let snapshots: { readonly text: string; readonly state: EditorState }[] = [];
  let draftState = text.state;

  function readText(): string {
    const { state } = text;
    const last = snapshots.at(-1);
    if (last !== undefined && isSameText(last.state, state)) return last.text;
    const now = text.text();
    snapshots.push({ text: now, state });
    return now;
  }

  function markSavedText(saved: string | undefined): void {
    const snapshot = snapshots.find((one) => one.text === saved);
    if (snapshot === undefined) text.setSavedText(saved ?? '');
    else text.markSaved(snapshot.state);
    snapshots = [];
  }

  async function keepMine(mine: string): Promise<WriteResult> {
    const before = saving.state.getState().base?.text;
    drafts.typed(place, () => ({ text: mine, base: before }));
    await drafts.flush();
    // Editing their version replaces the draft, so the trash gets a copy of mine too.
    return options.trash.put({
      ...place,
      reason: 'discarded',
      bytes: bytesOf(mine),
      base: before === undefined ? undefined : bytesOf(before),
      at: clock.now(),
    });
  }

  /** Copies the version of the service that `mine` replaces to the trash. */
  async function putEarlier(bytes: Uint8Array, mine: string): Promise<Trashed> {
    const written = await digestOf(bytesOf(mine));
    return options.trash.put({ ...place, reason: 'saved', bytes, written, at: clock.now() });
  }

  const saving = createEditorSave({
    client: options.client,
    clock,
    place: () => place,
    base,
    remote: remoteSince(opening.sinceDraft),
    readText,
    showText(shown) {
      text.replaceText(shown ?? '');
      reading.changed();
      if (showsTheirs(saving.state.getState())) draftState = text.state;
      else updateDraft();
      options.onShown();
    },
    keepDraft: () => drafts.flush(),
    keepTheirs: ({ bytes }, mine) => putEarlier(bytes, mine),
    async keepEarlier({ bytes }, mine) {
      const put = await putEarlier(bytes, mine);
      return async () => {
        if (put.ok) await options.trash.remove(put.id);
      };
    },
    keepMine,
    writes: options.writes,
    onSaved: options.onSaved,
  });

  saving.state.subscribe((now, before) => {
    if (now.base !== before.base) {
      markSavedText(now.base?.text);
      if (!showsTheirs(now)) updateDraft();
    }
  });

  function updateDraft(): void {
    draftState = text.state;
    if (!text.isModified()) return void drafts.saved(place);
    drafts.typed(place, () => ({
      text: text.textPieces(),
      base: saving.state.getState().base?.text,
    }));
  }

  return {
    kind: 'file',
    get place() {
      return place;
    },
    get title() {
      return place.path;
    },
    moveTo(to) {
      place = to;
      void saving.follow();
    },
    text,
    language: name,
    saving,
    openedAt: clock.now(),
    draftAt: draft?.at,
    sinceDraft: opening.sinceDraft,
    arrived: opening.arrived,
    isPlain: () => reading.isLoaded() && !text.isHighlighted,
    isNew: () => saving.state.getState().base === undefined,
    busy: () => (sendingPhases.has(saving.state.getState().phase.kind) ? 'saving' : undefined),
    remoteChange: () => saving.state.getState().remote,
    problems: () => text.problems(),
    keepDraft() {
      if (isSameText(text.state, draftState)) return;
      reading.changed();
      updateDraft();
    },
    nextProblem: () => goToNext(text, text.problems()),
    leave: () => reading.pause(),
  };
}

/** Returns whether the editor shows a version of the service; the draft of mine is then kept. */
function showsTheirs({ outcome }: SaveState): boolean {
  return outcome?.kind === 'taken' || outcome?.kind === 'reloaded';
}

function remoteSince(sinceDraft: SinceDraft): RemoteChange | undefined {
  if (sinceDraft === 'deleted') return 'deleted';
  return sinceDraft === 'changed' || sinceDraft === 'replaced' ? 'changed' : undefined;
}

const sendingPhases: ReadonlySet<SavePhase['kind']> = new Set(['checking', 'sending', 'keeping']);

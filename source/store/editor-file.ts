import type { EditorState } from '@codemirror/state';
import type { FilesClient } from '../client/client.ts';
import { formatOf } from '../editor/editor-state.ts';
import { documentReader, type FileDocument } from '../editor/document.ts';
import { type LanguageName, languageOf } from '../editor/languages.ts';
import { nextProblem, type Problem } from '../editor/problems.ts';
import { createTextEditor, type TextEditor } from '../editor/text-editor.ts';
import type { Clock } from './clock.ts';
import type { Drafts } from './drafts.ts';
import { readInLanguage } from './editor-language.ts';
import type { Opening } from './editor-opening.ts';
import { createEditorSave, type EditorSave, type SavedChange } from './editor-save.ts';
import type { Kept, KeptPlace } from './kept.ts';
import type { Trash } from './trash.ts';

/** How text is drawn, which the editor has to know to move over it. */
export interface EditorLook {
  /** How a grapheme cluster is drawn. */
  readonly show: (cluster: string) => string;
  /** The cells that drawn text takes. */
  readonly measure: (shown: string) => number;
}

/** One file in the editor: its text, its saving and its draft. */
export interface EditorFile {
  readonly place: KeptPlace;
  readonly text: TextEditor;
  readonly saving: EditorSave;
  /** When it was opened, and since when the draft was kept that it was opened with, in ms. */
  readonly openedAt: number;
  readonly draftAt: number | undefined;
  /** A draft of it was on the service already: it may not be applied. */
  readonly arrived: boolean;
  /** What it is written in; undefined for plain text. */
  readonly language: LanguageName | undefined;
  /** It is too long, or a line of it is, for its words to be told apart. */
  isPlain(): boolean;
  /** Keeps what was typed since the last call. */
  keepDraft(): void;
  /** Moves to the next thing that its language does not allow, if there is one. */
  nextProblem(): Problem | undefined;
  /** Nobody looks at it any more. What is being saved goes on. */
  leave(): void;
}

export interface EditorFileOptions {
  readonly place: KeptPlace;
  readonly opening: Opening;
  readonly look: EditorLook;
  readonly client: FilesClient;
  readonly clock: Clock;
  readonly drafts: Drafts;
  readonly trash: Trash;
  /** A write begins that restarts have to wait for; the returned function ends it. */
  readonly operation: (deploymentId: string) => () => void;
  readonly onSaved: (change: SavedChange) => Promise<void> | void;
  /** The beginning of a long text, to be looked at while the rest is read. */
  readonly onPreview: (text: TextEditor) => void;
  /** The text in the editor is another one, by no key. */
  readonly onShown: () => void;
}

/** Code units from which the beginning of a text is shown before all of it is read. */
const longFrom = 1 << 20;
const previewLength = 1 << 16;

/** Until the first drawing says better. */
const firstSize = { rows: 24, columns: 80 };

/** Opens a text in slices: a large one holds up no key. */
export async function openEditorFile(options: EditorFileOptions): Promise<EditorFile> {
  const { place, opening, look, clock, drafts } = options;
  const { base, draft } = opening;
  const whole = base?.text ?? '';
  const { show, measure } = look;
  const editorOf = (read: string | FileDocument) =>
    createTextEditor({ text: read, show, measure, size: firstSize });
  if (whole.length > longFrom) options.onPreview(editorOf(whole.slice(0, previewLength)));
  const text = editorOf(await readInSlices(whole, clock));
  // One undo goes back to what the draft was made from.
  if (draft !== undefined) text.load(draft.text);

  /** The states whose texts were read to be saved: one of them is what the service has next. */
  let asked: { readonly text: string; readonly state: EditorState }[] = [];
  let kept = text.state;

  function readText(): string {
    const { state } = text;
    const last = asked.at(-1);
    if (last !== undefined && isSameFile(last.state, state)) return last.text;
    const now = text.text();
    asked.push({ text: now, state });
    return now;
  }

  function noteBase(saved: string | undefined): void {
    const known = asked.find((one) => one.text === saved);
    if (known === undefined) text.markSavedAs(saved ?? '');
    else text.markSaved(known.state);
    asked = [];
  }

  async function keepMine(mine: string): Promise<Kept> {
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
      text.load(shown ?? '');
      // What was taken instead of the draft leaves it where it is.
      if (saving.state.getState().outcome?.kind === 'taken') kept = text.state;
      else settleDraft();
      options.onShown();
    },
    keepDraft: () => drafts.flush(),
    keepTheirs: async ({ bytes }) =>
      options.trash.put({ ...place, reason: 'replaced', bytes, at: clock.now() }),
    keepMine,
    operation: options.operation,
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
    if (!text.isChanged()) return void drafts.saved(place);
    drafts.typed(place, () => ({
      text: text.longText(),
      base: saving.state.getState().base?.text,
    }));
  }

  const name = languageOf(place.path, text.state.doc.line(1).text);
  const language = readInLanguage({ text, name, clock, onRead: options.onShown });

  return {
    place,
    text,
    language: name,
    saving,
    openedAt: clock.now(),
    draftAt: draft?.at,
    arrived: opening.arrived,
    isPlain: () => language.isLoaded() && !text.isHighlighted,
    keepDraft() {
      if (isSameFile(text.state, kept)) return;
      language.changed();
      settleDraft();
    },
    nextProblem() {
      const problem = nextProblem(text.problems(), text.position());
      if (problem === undefined) return undefined;
      const { from } = text.state.doc.line(problem.line);
      text.select(from + problem.column - 1);
      return problem;
    },
    leave: () => language.pause(),
  };
}

/** Whether nothing was typed from one to the other. Other line ends leave the lines as they are. */
function isSameFile(one: EditorState, other: EditorState): boolean {
  return one.doc === other.doc && formatOf(one) === formatOf(other);
}

async function readInSlices(text: string, clock: Clock): Promise<FileDocument> {
  const reader = documentReader(text);
  for (;;) {
    const document = reader.step();
    if (document !== undefined) return document;
    await new Promise<void>((resolve) => void clock.after(0, resolve));
  }
}

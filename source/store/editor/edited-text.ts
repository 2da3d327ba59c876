import type { EditorState } from '@codemirror/state';
import { createDocumentReader, type FileDocument } from '../../editor/document.ts';
import { fileFormatOf } from '../../editor/editor-state.ts';
import { type LanguageName, languageOf } from '../../editor/languages.ts';
import { nextProblem, type TextProblem } from '../../editor/problems.ts';
import { createTextEditor, type TextEditor } from '../../editor/text-editor.ts';
import type { Clock } from '../time/clock.ts';
import type { RemoteChange } from './save-state.ts';
import { type EditorLanguage, readInLanguage } from './language.ts';
import type { DraftPlace } from '../drafts/places.ts';

/** Rendering of text, which the editor needs to place the cursor. */
export interface EditorLook {
  /** Returns the drawn form of a grapheme cluster. */
  readonly show: (cluster: string) => string;
  /** Returns the width of drawn text in cells. */
  readonly measure: (shown: string) => number;
}

/** The document in the editor: a file or a definition. */
export interface EditedDocument {
  /** Key of the draft. */
  readonly place: DraftPlace;
  /** Title above the text: a path, or `new deployment`. */
  readonly title: string;
  readonly text: TextEditor;
  /** Time of opening, ms since the epoch. */
  readonly openedAt: number;
  /** Time of the draft that was resumed, ms since the epoch. */
  readonly draftAt: number | undefined;
  /** Language of the text; undefined for plain text. */
  readonly language: LanguageName | undefined;
  /** Tells whether the text or a line of it is too long to be highlighted. */
  isPlain(): boolean;
  /** Tells whether this is a file that the first save creates on the service. */
  isNew(): boolean;
  /** Returns the write in flight. */
  busy(): 'saving' | 'creating' | undefined;
  /** Returns a change of the file on the service that the text lacks. */
  remoteChange(): RemoteChange | undefined;
  /** Returns the problems of the text, sorted by line, one a line. */
  problems(): readonly TextProblem[];
  /** Schedules a write of the draft when the text has changed since the last call. */
  keepDraft(): void;
  /** Moves the cursor to the next problem, if there is one. */
  nextProblem(): TextProblem | undefined;
  /** Pauses checks after the document was closed; a write in flight continues. */
  leave(): void;
}

/** Length from which a preview is shown while the text is read, in code units. */
const longLength = 1 << 20;
const previewLength = 1 << 16;

/** Size of the viewport before the first drawing. */
const initialSize = { rows: 24, columns: 80 };

export interface TextOpening {
  /** Text that the draft is based on; one undo restores it. */
  readonly base: string;
  /** Text of the draft; undefined when there is none. */
  readonly draft: string | undefined;
  readonly fileName: string;
  readonly look: EditorLook;
  readonly clock: Clock;
  /** Called with the beginning of a long text while the rest is read. */
  readonly onPreview?: (text: TextEditor) => void;
  /** Called when highlighting or problems change. */
  readonly onRead: () => void;
}

export interface OpenedText {
  readonly text: TextEditor;
  readonly name: LanguageName | undefined;
  readonly language: EditorLanguage;
}

/** Opens a text in slices, so that a large one does not delay keys. */
export async function openText(opening: TextOpening): Promise<OpenedText> {
  const { base, draft, fileName, look, clock } = opening;
  const { show, measure } = look;
  const createEditor = (content: string | FileDocument) =>
    createTextEditor({ text: content, show, measure, size: initialSize });
  if (base.length > longLength) opening.onPreview?.(createEditor(base.slice(0, previewLength)));
  const text = createEditor(await readInSlices(base, clock));
  if (draft !== undefined) text.replaceText(draft);
  const name = languageOf(fileName, text.state.doc.line(1).text);
  return { text, name, language: readInLanguage({ text, name, clock, onRead: opening.onRead }) };
}

/** Tells whether two states have the same text, line ends included. */
export function isSameText(one: EditorState, other: EditorState): boolean {
  return one.doc === other.doc && fileFormatOf(one) === fileFormatOf(other);
}

/** Moves the cursor to the first problem after it, else to the first problem. */
export function goToNext(
  text: TextEditor,
  problems: readonly TextProblem[],
): TextProblem | undefined {
  const problem = nextProblem(problems, text.cursorPosition());
  if (problem !== undefined) goToPlace(text, problem);
  return problem;
}

/** Moves the cursor to a line and column, clamped to the text. */
export function goToPlace(
  text: TextEditor,
  { line, column }: Pick<TextProblem, 'line' | 'column'>,
): void {
  const { doc } = text.state;
  const { from, to } = doc.line(Math.min(line, doc.lines));
  text.select(Math.min(from + column - 1, to));
}

async function readInSlices(text: string, clock: Clock): Promise<FileDocument> {
  const reader = createDocumentReader(text);
  for (;;) {
    const document = reader.step();
    if (document !== undefined) return document;
    await new Promise<void>((resolve) => void clock.after(0, resolve));
  }
}

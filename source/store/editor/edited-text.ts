import type { EditorState } from '@codemirror/state';
import { createDocumentReader, type FileDocument } from '../../editor/document.ts';
import { fileFormatOf } from '../../editor/editor-state.ts';
import { type LanguageName, languageOf } from '../../editor/languages.ts';
import { nextProblem, type TextProblem } from '../../editor/problems.ts';
import { createTextEditor, type TextEditor } from '../../editor/text-editor.ts';
import type { Clock } from '../time/clock.ts';
import { type EditorLanguage, readInLanguage } from './language.ts';
import type { DraftPlace } from '../drafts/places.ts';

/** How text is drawn, which the editor has to know to move over it. */
export interface EditorLook {
  /** How a grapheme cluster is drawn. */
  readonly show: (cluster: string) => string;
  /** The cells that drawn text takes. */
  readonly measure: (shown: string) => number;
}

/** What is in the editor, whatever it is of. */
export interface EditedDocument {
  /** Where its draft is kept. */
  readonly place: DraftPlace;
  /** What it is called above the text: a path, or what it is. */
  readonly title: string;
  readonly text: TextEditor;
  /** When it was opened, and since when the draft was kept that it was opened with, in ms. */
  readonly openedAt: number;
  readonly draftAt: number | undefined;
  /** What it is written in; undefined for plain text. */
  readonly language: LanguageName | undefined;
  /** It is too long, or a line of it is, for its words to be told apart. */
  isPlain(): boolean;
  /** What is being done with it at the service. */
  busy(): 'saving' | 'creating' | undefined;
  /** What is wrong with it, in order, one for a line. */
  problems(): readonly TextProblem[];
  /** Keeps what was typed since the last call. */
  keepDraft(): void;
  /** Moves to the next of its problems, if there is one. */
  nextProblem(): TextProblem | undefined;
  /** Nobody looks at it any more. What is being sent goes on. */
  leave(): void;
}

/** Code units from which the beginning of a text is shown before all of it is read. */
const longFrom = 1 << 20;
const previewLength = 1 << 16;

/** Until the first drawing says better. */
const firstSize = { rows: 24, columns: 80 };

export interface TextOpening {
  /** What it was made from, which one undo goes back to. */
  readonly base: string;
  /** What was typed; undefined where that is the base. */
  readonly draft: string | undefined;
  readonly fileName: string;
  readonly look: EditorLook;
  readonly clock: Clock;
  /** The beginning of a long text, to be looked at while the rest is read. */
  readonly onPreview?: (text: TextEditor) => void;
  /** Words have other kinds, or other problems are known. */
  readonly onRead: () => void;
}

export interface OpenedText {
  readonly text: TextEditor;
  readonly name: LanguageName | undefined;
  readonly language: EditorLanguage;
}

/** Opens a text in slices: a large one holds up no key. */
export async function openText(opening: TextOpening): Promise<OpenedText> {
  const { base, draft, fileName, look, clock } = opening;
  const { show, measure } = look;
  const editorOf = (read: string | FileDocument) =>
    createTextEditor({ text: read, show, measure, size: firstSize });
  if (base.length > longFrom) opening.onPreview?.(editorOf(base.slice(0, previewLength)));
  const text = editorOf(await readInSlices(base, clock));
  if (draft !== undefined) text.replaceText(draft);
  const name = languageOf(fileName, text.state.doc.line(1).text);
  return { text, name, language: readInLanguage({ text, name, clock, onRead: opening.onRead }) };
}

/** Whether nothing was typed from one to the other. Other line ends leave the lines as they are. */
export function isSameText(one: EditorState, other: EditorState): boolean {
  return one.doc === other.doc && fileFormatOf(one) === fileFormatOf(other);
}

/** Moves to the first problem behind the cursor, or else to the first of all. */
export function goToNext(
  text: TextEditor,
  problems: readonly TextProblem[],
): TextProblem | undefined {
  const problem = nextProblem(problems, text.cursorPosition());
  if (problem !== undefined) goToPlace(text, problem);
  return problem;
}

/** Moves to a line and column, or as near as the text reaches. */
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

import { EditorSelection, type EditorState, type Extension, type Text } from '@codemirror/state';
import { matchedBrackets } from './brackets.ts';
import { CommandRunner } from './command-runner.ts';
import { documentPieces, type FileDocument, type FileFormat, readDocument } from './document.ts';
import { Editing } from './editing.ts';
import type { EditorCommand } from './editor-command.ts';
import { formatOf, openedState } from './editor-state.ts';
import { fileText, replacedText, typedText } from './edits.ts';
import type { BadQuery, FindQuery, FindState } from './find.ts';
import { highlighted } from './highlight.ts';
import type { LoadedLanguage } from './language-loader.ts';
import { isParsed, isParsing, LanguageSlot, parseSlice } from './language-slot.ts';
import { RowPainter, type EditorPicture, type Highlight, type CellSpan } from './picture.ts';
import { ProblemFinder, type TextProblem } from './problems.ts';
import { bareRows } from './row-pieces.ts';
import { Searching } from './searching.ts';
import type { EditorSize } from './viewport.ts';

export interface TextEditorOptions {
  /** The file's text, or what a `documentReader` made of it. */
  readonly text: string | FileDocument;
  readonly extensions?: Extension | undefined;
  /** Cells from one tab stop to the next; 4 if not said. */
  readonly tabSize?: number | undefined;
  /** How a grapheme cluster is drawn. Printable ASCII is not asked for: it shows itself. */
  readonly show: (cluster: string) => string;
  /** The cells that shown text takes. */
  readonly measure: (shown: string) => number;
  /** Rows and columns of the text alone, without line numbers. */
  readonly size: EditorSize;
  /** What is coloured; what its language says if not said. */
  readonly highlight?: Highlight | undefined;
}

/** A text that is edited on a screen of cells. Nothing is drawn here: `picture` says what to draw. */
export class TextEditor {
  readonly #editing: Editing;
  readonly #runner: CommandRunner;
  readonly #searching: Searching;
  readonly #painter = new RowPainter();
  readonly #highlight: Highlight;
  readonly #language = new LanguageSlot();
  readonly #problems = new ProblemFinder();
  #wraps = false;
  #saved: Text;
  #savedFormat: FileFormat;

  constructor(options: TextEditorOptions) {
    const state = openedState(options.text, options.tabSize ?? 4, [
      options.extensions ?? [],
      this.#language.extension,
    ]);
    this.#editing = new Editing(state, options, options.size);
    this.#runner = new CommandRunner(this.#editing);
    this.#searching = new Searching(this.#editing);
    this.#highlight = options.highlight ?? highlighted;
    this.#saved = state.doc;
    this.#savedFormat = formatOf(state);
  }

  /** The text, the selection and what extensions keep. */
  get state(): EditorState {
    return this.#editing.state;
  }

  get format(): FileFormat {
    return formatOf(this.state);
  }

  /** Does what a key asks for. False where there was nothing to do. */
  run(command: EditorCommand): boolean {
    return this.#runner.run(command);
  }

  /** Puts in what was typed. */
  insert(text: string): void {
    this.#editing.update(typedText(this.state, text, 'input.type'));
  }

  /** Puts in what came at once, with any line ends. One undo takes it away. */
  paste(text: string): void {
    this.#runner.paste(text);
  }

  /** What was cut or copied last; empty before. */
  get clipboard(): string {
    return this.#runner.clipboard;
  }

  /** Whether the mark was set, so that motions select. */
  get marking(): boolean {
    return this.#editing.marking;
  }

  /** Moves to the start of a line, counted from 1, or of the last one. */
  goToLine(line: number): void {
    const { doc } = this.state;
    const number = Math.max(1, Math.min(doc.lines, Math.trunc(line) || 1));
    this.select(doc.line(number).from);
  }

  /** Moves to a position of the document, with all selected from another one up to it. */
  select(head: number, anchor = head): void {
    const within = (position: number): number =>
      Math.max(0, Math.min(this.state.doc.length, position));
    this.#editing.marking = false;
    this.#editing.update({ selection: EditorSelection.range(within(anchor), within(head)) });
  }

  /** Replaces the whole text in one undoable step; the cursor stays near. */
  load(text: string): void {
    this.#editing.update(replacedText(this.state, text));
  }

  /** Searches from the selection on and selects the first match; says why where it cannot. */
  find(query: FindQuery): BadQuery | undefined {
    return this.#searching.find(query);
  }

  findNext(): boolean {
    return this.#searching.next();
  }

  findPrevious(): boolean {
    return this.#searching.previous();
  }

  /** Replaces the selected match and selects the next; false where none was selected. */
  replaceOne(text: string): boolean {
    return this.#searching.replaceOne(text);
  }

  /** Replaces all matches in one undoable step, and gives their number. At most 200,000 at once. */
  replaceAll(text: string): number {
    return this.#searching.replaceAll(text);
  }

  clearFind(): void {
    this.#searching.clear();
  }

  get findState(): FindState | undefined {
    return this.#searching.state;
  }

  resize(size: EditorSize): void {
    this.#editing.reshape(size, this.#wraps);
  }

  get wraps(): boolean {
    return this.#wraps;
  }

  /** Whether long lines go on in the next row; else the screen moves sideways. */
  setWrap(on: boolean): void {
    this.#wraps = on;
    this.#editing.reshape(this.#editing.viewport.size, on);
  }

  /** The file as it would be saved, in its own format. */
  text(): string {
    return fileText(this.state);
  }

  /** The same in pieces, of the text as it is now: for a writer that has time. */
  longText(): ReturnType<typeof documentPieces> {
    return documentPieces(this.state.doc, this.format);
  }

  /** Says that the text was saved as it is, or as it was in an earlier state. */
  markSaved(state = this.state): void {
    this.#saved = state.doc;
    this.#savedFormat = formatOf(state);
  }

  /** Says that what was saved is another text than the one here. */
  markSavedAs(text: string): void {
    const { doc, format } = readDocument(text);
    this.#saved = doc;
    this.#savedFormat = format;
  }

  /** Whether the file would be another one than what was saved, however it came to that. */
  isChanged(): boolean {
    const { bom, lineEnd } = this.format;
    return (
      bom !== this.#savedFormat.bom ||
      lineEnd !== this.#savedFormat.lineEnd ||
      !this.state.doc.eq(this.#saved)
    );
  }

  /** Where the cursor is, counted from 1: its line, and the code unit in it. */
  position(): { readonly line: number; readonly column: number } {
    const { number, from } = this.state.doc.lineAt(this.state.selection.main.head);
    return { line: number, column: this.state.selection.main.head - from + 1 };
  }

  /** Code units that are selected. */
  selectionSize(): number {
    const { from, to } = this.state.selection.main;
    return to - from;
  }

  /** Says what language the text is in; undefined for none. Undo reaches back over it. */
  setLanguage(language: LoadedLanguage | undefined): void {
    this.#editing.update(this.#language.filled(language));
  }

  /** Whether words have kinds: not without a language, nor in a text that is too large for it. */
  get isHighlighted(): boolean {
    return isParsing(this.state);
  }

  /**
   * Reads the text a little further in its language; takes a few milliseconds at most. True once
   * there is nothing left to read, until the text changes.
   */
  advance(): boolean {
    if (!isParsed(this.state)) parseSlice(this.state, () => this.#editing.update({}));
    else this.#problems.problems(this.state);
    return isParsed(this.state) && this.#problems.isDone(this.state);
  }

  /**
   * What the language does not allow, in order: at most 100, and one for a line. Those of an
   * earlier text where `advance` is not done with a long one.
   */
  problems(): readonly TextProblem[] {
    return this.#problems.problems(this.state);
  }

  /** The bracket at the cursor and the one that belongs to it, as drawn; none where there are not two. */
  matchedBrackets(): readonly CellSpan[] {
    return matchedBrackets(this.state);
  }

  /** What to draw. Rows that did not change since the last picture are the same objects. */
  picture(): EditorPicture {
    const { state, geometry, viewport } = this.#editing;
    const rows = this.#painter.paint(state, bareRows(state, geometry, viewport), {
      kinds: this.#highlight,
      matches: (from, to) => this.#searching.between(from, to),
      brackets: this.matchedBrackets(),
    });
    return { rows, cursor: viewport.placeOf(state.selection.main.head) };
  }
}

/** Opens a text to be edited. */
export function createTextEditor(options: TextEditorOptions): TextEditor {
  return new TextEditor(options);
}

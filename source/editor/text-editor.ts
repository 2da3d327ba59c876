import {
  EditorSelection,
  EditorState,
  type Extension,
  type Text,
  Compartment,
  type TransactionSpec,
} from '@codemirror/state';
import { ensureSyntaxTree, indentUnit, Language, syntaxTree } from '@codemirror/language';
import { CommandRunner } from './command-runner.ts';
import { documentPieces, type FileDocument, type FileFormat, readDocument } from './document.ts';
import { EditSession } from './editing.ts';
import type { EditorCommand } from './editor-command.ts';
import { fileFormatOf, createEditorState } from './editor-state.ts';
import { fileText, replacementSpec, insertionSpec } from './edits.ts';
import type { FindProblem, FindQuery, FindState } from './find.ts';
import { highlightSpans, parsedSpans } from './highlight.ts';
import type { LoadedLanguage } from './language-loader.ts';
import {
  RowPainter,
  type EditorViewModel,
  type Highlighter,
  type PositionSpan,
} from './picture.ts';
import { ProblemFinder, type TextProblem } from './problems.ts';
import { layoutRows } from './row-pieces.ts';
import { EditorSearch } from './searching.ts';
import type { EditorSize } from './viewport.ts';
import { BoundedParser, parserOf } from './bounded-parser.ts';
import { canHighlight } from './highlight-limit.ts';

export interface TextEditorOptions {
  /** The file's text, or its document from a `DocumentReader`. */
  readonly text: string | FileDocument;
  readonly extensions?: Extension | undefined;
  /** Cells from one tab stop to the next; 4 by default. */
  readonly tabSize?: number | undefined;
  /** Returns the text to draw for a grapheme cluster. Never called for printable ASCII. */
  readonly show: (cluster: string) => string;
  /** Returns the cells that drawn text occupies. */
  readonly measure: (shown: string) => number;
  /** The viewport's rows and columns, without line numbers. */
  readonly size: EditorSize;
  /** The highlighter; by default the one of the text's language. */
  readonly highlight?: Highlighter | undefined;
}

/** A headless text editor for terminal cells: it computes the rows to draw and draws nothing. */
export class TextEditor {
  readonly #editing: EditSession;
  readonly #runner: CommandRunner;
  readonly #searching: EditorSearch;
  readonly #painter = new RowPainter();
  readonly #highlight: Highlighter;
  readonly #language = new LanguageCompartment();
  readonly #problems = new ProblemFinder();
  #wraps = false;
  #saved: Text;
  #savedFormat: FileFormat;

  constructor(options: TextEditorOptions) {
    const state = createEditorState(options.text, options.tabSize ?? 4, [
      options.extensions ?? [],
      this.#language.extension,
    ]);
    this.#editing = new EditSession(state, options, options.size);
    this.#runner = new CommandRunner(this.#editing);
    this.#searching = new EditorSearch(this.#editing);
    this.#highlight = options.highlight ?? highlightSpans;
    this.#saved = state.doc;
    this.#savedFormat = fileFormatOf(state);
  }

  /** The text, the selection and the state of the extensions. */
  get state(): EditorState {
    return this.#editing.state;
  }

  get format(): FileFormat {
    return fileFormatOf(this.state);
  }

  /** Runs a command. Returns false when the command had no effect. */
  run(command: EditorCommand): boolean {
    return this.#runner.run(command);
  }

  /** Inserts typed text. */
  insert(text: string): void {
    this.#editing.update(insertionSpec(this.state, text, 'input.type'));
  }

  /** Inserts pasted text with any line ends, as one undo step. */
  paste(text: string): void {
    this.#runner.paste(text);
  }

  /** The last cut or copied text; empty initially. */
  get clipboard(): string {
    return this.#runner.clipboard;
  }

  /** True while the mark is set and motions extend the selection. */
  get marking(): boolean {
    return this.#editing.isMarkSet;
  }

  /**
   * Moves the cursor to the start of a line, counted from 1; to the last line if there are fewer.
   */
  goToLine(line: number): void {
    const { doc } = this.state;
    const number = Math.max(1, Math.min(doc.lines, Math.trunc(line) || 1));
    this.select(doc.line(number).from);
  }

  /** Moves the cursor to `head` and selects the text between `anchor` and `head`. */
  select(head: number, anchor = head): void {
    const clamp = (position: number): number =>
      Math.max(0, Math.min(this.state.doc.length, position));
    this.#editing.isMarkSet = false;
    this.#editing.update({ selection: EditorSelection.range(clamp(anchor), clamp(head)) });
  }

  /** Replaces the whole text in one undo step; the cursor stays near its place. */
  replaceText(text: string): void {
    this.#editing.update(replacementSpec(this.state, text));
  }

  /** Searches from the selection on and selects the match. Returns any problem of the query. */
  find(query: FindQuery): FindProblem | undefined {
    return this.#searching.find(query);
  }

  findNext(): boolean {
    return this.#searching.next();
  }

  findPrevious(): boolean {
    return this.#searching.previous();
  }

  /** Replaces the selected match and selects the next. Returns false when no match was selected. */
  replaceOne(text: string): boolean {
    return this.#searching.replaceOne(text);
  }

  /** Replaces all matches, at most 200,000, in one undo step. Returns their number. */
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
    this.#editing.setLayout(size, this.#wraps);
  }

  get wraps(): boolean {
    return this.#wraps;
  }

  /** Wraps long lines into further rows, or scrolls them sideways. */
  setWrap(on: boolean): void {
    this.#wraps = on;
    this.#editing.setLayout(this.#editing.viewport.size, on);
  }

  /** Returns the file's text in its own format, ready to save. */
  text(): string {
    return fileText(this.state);
  }

  /** Returns the file's current text in pieces, for writing a long file without blocking. */
  textPieces(): ReturnType<typeof documentPieces> {
    return documentPieces(this.state.doc, this.format);
  }

  /** Records that the current text, or the text of an earlier state, was saved. */
  markSaved(state = this.state): void {
    this.#saved = state.doc;
    this.#savedFormat = fileFormatOf(state);
    this.#editing.changedLines.compare(this.#saved, this.state.doc);
  }

  /** Records another text than the editor's own as the saved one. */
  setSavedText(text: string): void {
    const { doc, format } = readDocument(text);
    this.#saved = doc;
    this.#savedFormat = format;
    this.#editing.changedLines.compare(doc, this.state.doc);
  }

  /** Returns true when saving now would change the saved file, regardless of the edit history. */
  isModified(): boolean {
    const { hasBom, lineEnd } = this.format;
    return (
      hasBom !== this.#savedFormat.hasBom ||
      lineEnd !== this.#savedFormat.lineEnd ||
      !this.state.doc.eq(this.#saved)
    );
  }

  /** Returns the cursor's line and column, both counted from 1; the column in code units. */
  cursorPosition(): { readonly line: number; readonly column: number } {
    const { number, from } = this.state.doc.lineAt(this.state.selection.main.head);
    return { line: number, column: this.state.selection.main.head - from + 1 };
  }

  /** Returns the selection's length in code units. */
  selectionLength(): number {
    const { from, to } = this.state.selection.main;
    return to - from;
  }

  /** Sets the text's language; undefined for none. Not part of the undo history. */
  setLanguage(language: LoadedLanguage | undefined): void {
    this.#editing.update(this.#language.reconfigure(language));
  }

  /** True when the text is highlighted: it has a language and is not too large. */
  get isHighlighted(): boolean {
    return hasParser(this.state);
  }

  /**
   * Parses one slice of the text and looks for problems, within a few milliseconds. Returns true
   * when the whole text is done, until it changes.
   */
  advance(): boolean {
    if (!isFullyParsed(this.state)) parseSlice(this.state, () => this.#editing.update({}));
    else this.#problems.problems(this.state, true);
    return isFullyParsed(this.state) && this.#problems.isDone(this.state);
  }

  /**
   * Returns the syntax problems in order, at most 100 and one per line. While `advance` has not
   * finished a long text, they are those of an earlier text.
   */
  problems(): readonly TextProblem[] {
    return this.#problems.problems(this.state);
  }

  /** Returns the bracket at the cursor and its counterpart; empty when either is missing. */
  matchingBrackets(): readonly PositionSpan[] {
    return findMatchingBrackets(this.state);
  }

  /** Returns the rows and the cursor to draw. Unchanged rows are the same objects as before. */
  viewModel(): EditorViewModel {
    const { state, geometry, viewport } = this.#editing;
    const rows = this.#painter.paint(state, layoutRows(state, geometry, viewport), {
      kinds: this.#highlight,
      matches: (from, to) => this.#searching.matchesBetween(from, to),
      brackets: this.matchingBrackets(),
    });
    const numbers = rows.flatMap(({ line }) => line ?? []);
    const [first = 1, last = 0] = [numbers[0], numbers.at(-1)];
    const changed = this.#editing.changedLines.between(state.doc, first, last);
    return { rows, changed, cursor: viewport.screenPositionOf(state.selection.main.head) };
  }
}

/** Creates an editor for a text. */
export function createTextEditor(options: TextEditorOptions): TextEditor {
  return new TextEditor(options);
}

/** Pairs of opening and closing brackets. */
const brackets = '()[]{}';

/** Code units on either side of a bracket that are searched for its counterpart. */
const maxDistance = 10_000;

/**
 * Returns the bracket before or else after the cursor, and its counterpart; empty when one of them
 * is missing or too far away. A bracket in a string or comment only matches another one there.
 */
function findMatchingBrackets(state: EditorState): readonly PositionSpan[] {
  const { head, empty } = state.selection.main;
  if (!empty) return [];
  for (const at of [head - 1, head]) {
    const counterpart = findCounterpart(state, at);
    if (counterpart !== undefined) return [at, counterpart].map((from) => ({ from, to: from + 1 }));
  }
  return [];
}

function findCounterpart(state: EditorState, at: number): number | undefined {
  const { length } = state.doc;
  const index = at < 0 || at >= length ? -1 : brackets.indexOf(state.sliceDoc(at, at + 1));
  if (index < 0) return undefined;
  const step = isOpening(index) ? 1 : -1;
  const from = step > 0 ? at : Math.max(0, at - maxDistance);
  const to = step > 0 ? Math.min(length, at + 1 + maxDistance) : at + 1;
  const text = state.sliceDoc(from, to);
  const isQuoted = quotedTest(state, from, to);
  const isStartQuoted = isQuoted(at);
  let depth = 0;
  for (let place = at + step; place >= from && place < to; place += step) {
    const candidate = brackets.indexOf(text.charAt(place - from));
    if (candidate < 0 || isQuoted(place) !== isStartQuoted) continue;
    if (isOpening(candidate) === isOpening(index)) depth += 1;
    else if (depth > 0) depth -= 1;
    else return candidate >> 1 === index >> 1 ? place : undefined;
  }
  return undefined;
}

function isOpening(index: number): boolean {
  return index % 2 === 0;
}

/** Returns a test of whether a position in the range is inside a string or comment. */
function quotedTest(state: EditorState, from: number, to: number): (position: number) => boolean {
  const quotedUnits = new Uint8Array(to - from);
  for (const span of parsedSpans(state, from, to)) {
    if (span.kind === 'string' || span.kind === 'comment') {
      quotedUnits.fill(1, span.from - from, span.to - from);
    }
  }
  return (position) => quotedUnits[position - from] === 1;
}

/** Code units that a slice must add before the state takes over its tree. */
const minGrowth = 4096;

/** Milliseconds that never elapse: the parse is bounded by its steps instead. */
const unlimitedTime = 60_000;

/** The compartment of an editor's state that holds the language of its text. */
class LanguageCompartment {
  readonly #compartment = new Compartment();

  /** The compartment without a language, for a new state's extensions. */
  get extension(): Extension {
    return this.#compartment.of([]);
  }

  /**
   * Returns a transaction that sets or removes the language. It adds nothing to the undo history.
   */
  reconfigure(loaded: LoadedLanguage | undefined): TransactionSpec {
    const content = loaded === undefined ? [] : languageExtension(loaded);
    return { effects: this.#compartment.reconfigure(content) };
  }
}

/** Returns true when a state's text is parsed in a language. */
function hasParser(state: EditorState): boolean {
  return parserOf(state)?.canParse(state.doc) === true;
}

/** Returns true when the whole text is parsed, or has no language. */
function isFullyParsed(state: EditorState): boolean {
  return parserOf(state) === undefined || treeEnd(state) >= state.doc.length;
}

/**
 * Parses one more slice of the text. The resulting tree stays outside the state until it has grown
 * enough; then `dispatch` must send an empty transaction, with which the state takes it over.
 */
function parseSlice(state: EditorState, dispatch: () => void): void {
  const parser = parserOf(state);
  if (parser === undefined) return;
  const { length } = state.doc;
  let isDone = false;
  // A negative timeout stops the parse at CodeMirror's first look at the clock.
  parser.runInMode('slice', () => (isDone = ensureSyntaxTree(state, length, -1) !== null));
  if (!isDone && parser.reached < treeEnd(state) * 2 + minGrowth) return;
  if (!isDone) parser.runInMode('collect', () => ensureSyntaxTree(state, length, unlimitedTime));
  parser.runInMode('reuse', dispatch);
}

/** Returns the position up to which the text is parsed. */
function treeEnd(state: EditorState): number {
  return syntaxTree(state).length;
}

function languageExtension({
  name,
  language,
  support,
  indentUnit: indent,
  languageData: data,
}: LoadedLanguage): Extension {
  const parser = new BoundedParser(name, language, (doc) => canHighlight(doc, name));
  const languageData = [data];
  return [
    indentUnit.of(indent),
    EditorState.languageData.of(() => languageData),
    new Language(language.data, parser, [], language.name),
    support,
  ];
}

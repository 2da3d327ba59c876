import { keyName } from '../../store/prompts/key-names.ts';
import type { EditorRow, EditorRun } from '../../editor/picture.ts';
import type { TextProblem } from '../../editor/problems.ts';
import type { TextEditor } from '../../editor/text-editor.ts';
import type { Deck } from '../../store/deck/deck.ts';
import type { EditorOpening } from '../../store/editor/editor-state.ts';
import type { EditorStore } from '../../store/editor/editor.ts';
import { nameIn } from '../../store/drafts/places.ts';
import { ellipsis, truncateCells } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import type { Cell, Painter } from '../../terminal/screen/painter.ts';
import { fillLine, fitLine, lineWidth } from '../text/fit.ts';
import { type Line, type Span, span } from '../text/line.ts';
import type { PaintSource } from '../parts/painted.tsx';
import { kindLook } from '../text/theme.ts';
import type { EditedDocument } from '../../store/editor/edited-text.ts';
import type { Area } from '../../terminal/screen/screen-rows.ts';

export interface EditorRowsOptions {
  readonly editor: EditorStore;
  readonly area: Area;
  readonly painter: Painter | undefined;
  /** Returns true while the text has the focus; else an overlay owns the terminal's cursor. */
  readonly hasKeys: () => boolean;
  /** Rule of the title beside other panes; undefined where the title has the whole row. */
  readonly rule: TitleRule | undefined;
}

export interface EditorPaintSource extends PaintSource {
  /** Places the terminal's cursor on the text's cursor, or hides it when that is not visible. */
  placeCursor(): void;
}

/** Rule of a title: `[EDIT app.yaml] ━━━ Ln 3 Col 14 ━` with the focus. */
export interface TitleRule {
  readonly character: string;
  readonly isFocused: boolean;
}

/** Rows of the editor and the place of its cursor on the screen. */
interface EditorFrame {
  readonly rows: readonly Line[];
  readonly cursor: Cell | undefined;
}

/** Creates the rows to paint: the editor's title, then the text with its line numbers. */
export function editorRows(options: EditorRowsOptions): EditorPaintSource {
  const { editor, area, painter, hasKeys } = options;
  const gutters = new GutterRows();
  let last: (EditorFrame & { readonly revision: number }) | undefined;

  function draw(): EditorFrame {
    const { document, opening, revision } = editor.state.getState();
    if (last?.revision !== revision) {
      const next = document === undefined ? drawPreview(opening) : drawDocument(document);
      last = { revision, ...next };
    }
    return last;
  }

  function drawDocument(document: EditedDocument): EditorFrame {
    const problems = new Map(document.problems().map((problem) => [problem.line, problem]));
    const { rows, cursor } = drawText(document.text, problems, !document.isNew());
    return { rows: [titleRow(document), ...rows], cursor };
  }

  function titleRow(document: EditedDocument): Line {
    const { unsaved } = editor.state.getState();
    return editorTitle(document, unsaved, area.width, options.rule);
  }

  function drawPreview(opening: EditorOpening | undefined): EditorFrame {
    if (opening?.preview === undefined) return { rows: [], cursor: undefined };
    const name = span(` ${opening.title}`);
    const title = [span('EDIT', 'focus'), name, span('  opening', 'busy')];
    const { rows } = drawText(opening.preview, new Map(), false);
    return { rows: [title, ...rows], cursor: undefined };
  }

  function drawText(
    text: TextEditor,
    problems: ReadonlyMap<number, TextProblem>,
    hasSaved: boolean,
  ): EditorFrame {
    const gutter = gutterWidth(text.state.doc.lines);
    const size = { rows: Math.max(1, area.height - 1), columns: Math.max(1, area.width - gutter) };
    text.resize(size);
    const { rows, changed, cursor } = text.viewModel();
    const markOf = ({ line }: EditorRow): GutterMark => {
      if (line === undefined) return noMark;
      const problem = problems.get(line);
      if (problem !== undefined) return problem.isWarning === true ? warningMark : errorMark;
      return hasSaved && changed.has(line) ? changeMark : noMark;
    };
    return {
      rows: rows.map((row) => gutters.of(row, gutter, markOf(row))),
      cursor: cursor && { x: area.left + gutter + cursor.column, y: area.top + 1 + cursor.row },
    };
  }

  function placeCursor(): void {
    painter?.placeCursor(draw().cursor);
  }

  return {
    subscribe(changed) {
      // Place the cursor at once, so that the frame after a key shows both changes.
      return editor.state.subscribe(() => {
        if (hasKeys()) placeCursor();
        changed(true);
      });
    },
    rows: () => draw().rows,
    placeCursor,
  };
}

/** Returns the title: `EDIT config/app.yaml  unsaved      CRLF  Ln 3 Col 14`. */
function editorTitle(
  document: EditedDocument,
  unsaved: boolean,
  width: number,
  rule: TitleRule | undefined,
): Line {
  const { text, title } = document;
  const { line, column } = text.cursorPosition();
  const selected = text.selectionLength();
  const right = [
    formatText(document),
    `Ln ${line} Col ${column}`,
    ...(selected > 0 ? [`${selected} selected`] : []),
    ...(text.marking && selected === 0 ? ['selecting'] : []),
  ].filter((part) => part !== '');
  const state = stateText(document, unsaved);
  const stateSpans: Line = state === '' ? [] : [span(`  ${state}`, 'busy')];
  const titled = (path: string): Line => [span('EDIT', 'focus'), span(` ${path}`), ...stateSpans];
  const [end, filler, framed] = titleFrame(right.join('  '), rule);
  const name = nameIn(title);
  for (const left of [framed(titled(title)), framed(titled(name))]) {
    if (lineWidth(left) + end.length + 2 <= width) {
      return [...fillLine(left, width - end.length, filler), span(end)];
    }
  }
  // Truncate a long name rather than the state.
  const room = Math.max(0, width - lineWidth(framed(titled(''))));
  const cut = framed(titled(truncateCells(sanitize(name), room)));
  return fitLine(fillLine(cut, width, filler), width);
}

/** Returns the right end of a title, the filler before it, and how the rule frames the name. */
function titleFrame(
  right: string,
  rule: TitleRule | undefined,
): readonly [end: string, filler: string, framed: (name: Line) => Line] {
  if (rule === undefined) return [right, ' ', (name) => name];
  const { character, isFocused } = rule;
  const [open, close] = isFocused ? ['[', ']'] : [' ', ' '];
  const framed = (name: Line): Line => [
    span(open, 'focus'),
    ...name,
    span(close, 'focus'),
    ...(isFocused ? [span(' ')] : []),
  ];
  return [` ${right} ${character}`, character, framed];
}

function formatText(document: EditedDocument): string {
  const { hasBom, lineEnd } = document.text.format;
  const name = document.language ?? '';
  const language = document.isPlain() ? `${name}, no highlighting` : name;
  const ends = { '\n': '', '\r\n': 'CRLF', '\r': 'CR' } as const;
  return [language, hasBom ? 'BOM' : '', ends[lineEnd]].filter((word) => word !== '').join(' ');
}

/** Returns the problem of the cursor's line, else the first problem, else the first warning. */
export function problemText({ editor }: Pick<Deck, 'editor'>): string {
  const { document } = editor.state.getState();
  const problems = document?.problems() ?? [];
  const cursorLine = document?.text.cursorPosition().line;
  const problem =
    problems.find(({ line }) => line === cursorLine) ??
    problems.find(({ isWarning }) => isWarning !== true) ??
    problems[0];
  if (problem === undefined) return '';
  const start = problem.isWarning === true ? 'Warning, line' : 'Line';
  return `${start} ${problem.line}: ${problem.sentence} ${keyName('editor.next-problem', 'F8')}: next problem.`;
}

function stateText(document: EditedDocument, unsaved: boolean): string {
  const own = document.busy() ?? (unsaved ? 'unsaved' : document.isNew() ? 'new' : '');
  const remote = document.remoteChange();
  return [own, remote === undefined ? '' : `${remote} on the service`]
    .filter((part) => part !== '')
    .join(', ');
}

/** Returns the width of the gutter: a mark, the line number and a space, in cells. */
export function gutterWidth(lines: number): number {
  return String(lines).length + 3;
}

/** Mark before a line number. */
type GutterMark = Span;

const noMark: GutterMark = span(' ');
const errorMark: GutterMark = span('!', 'bad');
const warningMark: GutterMark = span('?', 'busy');
const changeMark: GutterMark = span('*', 'busy');

/** Adds line numbers and marks to rows, and caches the line of each row. */
class GutterRows {
  #lines = new WeakMap<EditorRow, { readonly head: string; readonly line: Line }>();

  of(row: EditorRow, gutter: number, mark: GutterMark): Line {
    const number = row.line === undefined ? '' : String(row.line);
    const head = `${mark.text}${number.padStart(gutter - 2)} `;
    const cached = this.#lines.get(row);
    if (cached?.head === head) return cached.line;
    const line = [mark, span(head.slice(1), 'quiet'), ...row.runs.map((run) => runSpan(run))];
    this.#lines.set(row, { head, line });
    return line;
  }
}

function runSpan({ text, kind, selected, match, bracket, isCut }: EditorRun): Span {
  if (isCut === true) return span(ellipsis(), 'quiet');
  if (selected === true) return span(text, 'select');
  if (match === true) return span(text, 'match');
  const look = kindLook(kind);
  if (bracket === true)
    return { ...look, text, style: { ...look.style, bold: true, underline: true } };
  return { ...look, text };
}

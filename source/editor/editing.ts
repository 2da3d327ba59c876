import {
  ChangeSet,
  type EditorState,
  type Text,
  type Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import { Geometry } from './geometry.ts';
import { GlyphCache, type GlyphRenderer } from './glyphs.ts';
import { CellView } from './stand-in-view.ts';
import { type EditorSize, Viewport } from './viewport.ts';
import { diffLines } from './diff.ts';

/** An edited text and its viewport: the state on which all editor commands act. */
export class EditSession {
  #state: EditorState;
  readonly #glyphs: GlyphCache;
  readonly geometry: Geometry;
  readonly viewport: Viewport;
  readonly view: CellView;
  /** Lines that differ from the saved text. */
  readonly changedLines: ChangedLines;
  /** True while the mark is set, so that motions select. The next change of the text clears it. */
  isMarkSet = false;

  constructor(state: EditorState, drawing: GlyphRenderer, size: EditorSize) {
    this.#state = state;
    this.#glyphs = new GlyphCache(drawing);
    this.geometry = new Geometry(state.doc, {
      glyphs: this.#glyphs,
      tabSize: state.tabSize,
      wrapWidth: undefined,
    });
    this.viewport = new Viewport(this.geometry, state.doc, size);
    this.changedLines = new ChangedLines(state.doc);
    this.view = new CellView(
      () => this.#state,
      (transaction) => this.#apply(transaction),
      this.geometry,
      () => this.viewport.size.rows,
    );
  }

  get state(): EditorState {
    return this.#state;
  }

  update(spec: TransactionSpec): void {
    this.#apply(this.#state.update(spec));
  }

  setLayout(size: EditorSize, wraps: boolean): void {
    this.geometry.setLayout({
      glyphs: this.#glyphs,
      tabSize: this.#state.tabSize,
      wrapWidth: wraps ? Math.max(1, size.columns) : undefined,
    });
    this.viewport.resize(size);
    this.viewport.scrollIntoView(this.#state.selection.main.head);
  }

  #apply(transaction: Transaction): void {
    this.#state = transaction.state;
    if (transaction.docChanged) {
      this.isMarkSet = false;
      this.changedLines.apply(transaction.changes);
      this.geometry.applyChange(transaction.newDoc, transaction.changes);
      this.viewport.applyChange(transaction.newDoc, transaction.changes);
    }
    this.viewport.scrollIntoView(this.#state.selection.main.head);
  }
}

/** Most ranges of changes that are followed: each key composes and reads all of them. */
const mostRanges = 2000;

/** Most lines of two texts that are compared, which takes about 10 ms. */
const mostCompared = 20_000;

/** Most characters of a range that are compared with those that they replaced. */
const longestCompared = 10_000;

/**
 * Follows which lines of an edited text differ from the saved one. A text with too many changes has no
 * changed lines until it is saved.
 */
class ChangedLines {
  #saved: Text;
  /** Changes from the saved text to the current one; undefined when they are too many. */
  #changes: ChangeSet | undefined;

  constructor(saved: Text) {
    this.#saved = saved;
    this.#changes = ChangeSet.empty(saved.length);
  }

  /** Records a change of the text. */
  apply(changes: ChangeSet): void {
    const all = this.#changes?.compose(changes);
    this.#changes = all !== undefined && countRanges(all) <= mostRanges ? all : undefined;
  }

  /** Records another saved text. */
  compare(saved: Text, current: Text): void {
    this.#saved = saved;
    this.#changes = saved.eq(current)
      ? ChangeSet.empty(saved.length)
      : comparedChanges(saved, current);
  }

  /** Returns the numbers of the changed lines of the current text from line `first` to `last`. */
  between(current: Text, first: number, last: number): ReadonlySet<number> {
    const lines = new Set<number>();
    if (this.#changes === undefined || this.#changes.empty || current.eq(this.#saved)) return lines;
    this.#changes.iterChangedRanges((...[fromA, toA, fromB, toB]) => {
      const range = changedRange(this.#saved, current, { fromA, toA, fromB, toB });
      const end = Math.min(range.last, last);
      for (let line = Math.max(range.first, first); line <= end; line += 1) lines.add(line);
    }, true);
    return lines;
  }
}

function countRanges(changes: ChangeSet): number {
  let count = 0;
  changes.iterChangedRanges(() => {
    count += 1;
  }, true);
  return count;
}

/** A changed range in the saved text (A) and in the current one (B). */
interface Range {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

/**
 * Returns the first and the last changed line of a range; an empty range of lines where whole lines
 * were removed. A line beside inserted lines is unchanged.
 */
function changedRange(saved: Text, current: Text, { fromA, toA, fromB, toB }: Range) {
  const [start, end] = [current.lineAt(fromB), current.lineAt(toB)];
  const none = { first: 1, last: 0 };
  if (toA - fromA === toB - fromB && toA - fromA <= longestCompared) {
    if (saved.sliceString(fromA, toA) === current.sliceString(fromB, toB)) return none;
  }
  const [startA, endA] = [saved.lineAt(fromA), saved.lineAt(toA)];
  const isWholeLine = fromB === start.from && toB === end.from && fromA === startA.from;
  const beginsAfterLine = fromB === start.to && fromA === startA.to && start.number < end.number;
  const endsBeforeLine = toB === end.from && toA === endA.from && start.number < end.number;
  if (fromB === toB) {
    const isLineStart = isWholeLine && toA === endA.from;
    const isLineEnd = fromB === start.to && fromA === startA.to && toA === endA.to;
    return isLineStart || isLineEnd ? none : { first: start.number, last: start.number };
  }
  return {
    first: start.number + (beginsAfterLine ? 1 : 0),
    last: end.number - (endsBeforeLine && !beginsAfterLine ? 1 : 0),
  };
}

/** Returns the changes between two texts by lines; undefined for texts too long to compare. */
function comparedChanges(saved: Text, current: Text): ChangeSet | undefined {
  if (saved.lines + current.lines > mostCompared) return undefined;
  const hunks = diffLines(saved.toJSON(), current.toJSON());
  if (hunks.length > mostRanges) return undefined;
  const changes = hunks.map(({ beforeFrom, beforeTo, afterFrom, afterTo }) => {
    const isAtEnd = beforeTo === saved.lines || afterTo === current.lines;
    // Lines at the end have no line end behind them, so the one before them belongs to the change.
    const isJoined = isAtEnd && beforeFrom > 0 && afterFrom > 0;
    const from = isJoined ? saved.line(beforeFrom).to : lineStart(saved, beforeFrom);
    const start = isJoined ? current.line(afterFrom).to : lineStart(current, afterFrom);
    const insert = current.slice(start, lineStart(current, afterTo));
    return { from, to: lineStart(saved, beforeTo), insert };
  });
  return ChangeSet.of(changes, saved.length);
}

/** Returns the start of a line, counted from 0; the end of the text behind the last one. */
function lineStart(text: Text, index: number): number {
  return index < text.lines ? text.line(index + 1).from : text.length;
}

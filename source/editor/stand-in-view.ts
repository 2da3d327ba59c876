import {
  CharCategory,
  EditorSelection,
  type EditorState,
  type Line,
  type SelectionRange,
  type Transaction,
} from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Geometry } from './geometry.ts';

/**
 * Given the first character passed, returns a test of whether the motion passes the next one too.
 */
type GroupTest = (first: string) => (next: string) => boolean;

/** Characters that one motion may pass: a word of hostile text would take seconds. */
const maxMotionLength = 1 << 12;

/** Implements the parts of CodeMirror's `EditorView` that its commands use, in terminal cells. */
export class CellView {
  readonly #state: () => EditorState;
  readonly #geometry: Geometry;
  readonly #rows: () => number;
  readonly dispatch: (transaction: Transaction) => void;

  constructor(
    state: () => EditorState,
    dispatch: (transaction: Transaction) => void,
    geometry: Geometry,
    rows: () => number,
  ) {
    this.#state = state;
    this.dispatch = dispatch;
    this.#geometry = geometry;
    this.#rows = rows;
  }

  /** This view as CodeMirror's commands expect it. They use only the members defined here. */
  get asView(): EditorView {
    return this as unknown as EditorView;
  }

  get state(): EditorState {
    return this.#state();
  }

  readonly defaultLineHeight = 1;

  get scrollDOM(): { readonly clientHeight: number; readonly scrollHeight: number } {
    return { clientHeight: this.#rows(), scrollHeight: Infinity };
  }

  plugin(): null {
    return null;
  }

  /** Always left to right: text is drawn, and navigated, in its logical order. */
  textDirectionAt(): number {
    return 0;
  }

  /** Moves by one character, across line breaks; with `by`, by as many as its test accepts. */
  moveByChar(start: SelectionRange, forward: boolean, by?: GroupTest): SelectionRange {
    const { doc } = this.state;
    let line = doc.lineAt(start.head);
    let { head } = start;
    let accepts: ((next: string) => boolean) | undefined;
    for (let count = 0; count < maxMotionLength; count += 1) {
      const isAtEdge = head === (forward ? line.to : line.from);
      const next = isAtEdge ? head + (forward ? 1 : -1) : this.#neighbour(line, head, forward);
      if (next < 0 || next > doc.length) break;
      const passed = isAtEdge
        ? '\n'
        : line.text.slice(Math.min(head, next) - line.from, Math.max(head, next) - line.from);
      if (accepts === undefined) accepts = by?.(passed);
      else if (!accepts(passed)) break;
      head = next;
      if (accepts === undefined) break;
      if (isAtEdge) line = doc.lineAt(head);
    }
    return EditorSelection.cursor(head, forward ? -1 : 1);
  }

  /** Moves over characters of one category (words, spaces, others) and the spaces before them. */
  moveByGroup(start: SelectionRange, forward: boolean): SelectionRange {
    return this.moveByChar(start, forward, (first) => {
      const categorize = this.state.charCategorizer(start.head);
      let category = categorize(first);
      return (next) => {
        const following = categorize(next);
        if (category === CharCategory.Space) category = following;
        return category === following;
      };
    });
  }

  /** Moves by rows, in the column of cells where the motion started. */
  moveVertically(start: SelectionRange, forward: boolean, distance = 1): SelectionRange {
    const { doc } = this.state;
    const from = doc.lineAt(start.head);
    const place = this.#geometry.line(from.number).positionOf(start.head - from.from);
    const goal = start.goalColumn ?? place.cell;
    const current = { line: from.number, row: place.row };
    const target = this.#geometry.step(current, forward ? distance : -distance);
    if (target.line === current.line && target.row === current.row) {
      return EditorSelection.cursor(start.head, 1, undefined, goal);
    }
    const offset = this.#geometry.line(target.line).offsetAt(target.row, goal);
    return EditorSelection.cursor(doc.line(target.line).from + offset, 1, undefined, goal);
  }

  moveToLineBoundary(start: SelectionRange, forward: boolean): SelectionRange {
    const line = this.state.doc.lineAt(start.head);
    return EditorSelection.cursor(forward ? line.to : line.from, forward ? -1 : 1);
  }

  lineBlockAt(
    position: number,
  ): Readonly<Record<'from' | 'to' | 'length' | 'top' | 'bottom' | 'height', number>> {
    const { from, to, length, number } = this.state.doc.lineAt(position);
    return { from, to, length, top: number - 1, bottom: number, height: 1 };
  }

  coordsAtPos(position: number): Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>> {
    const { from, number } = this.state.doc.lineAt(position);
    const { cell } = this.#geometry.line(number).positionOf(position - from);
    return { left: cell, right: cell, top: number - 1, bottom: number };
  }

  #neighbour({ number, from }: Line, head: number, forward: boolean): number {
    const cells = this.#geometry.line(number);
    return from + (forward ? cells.nextOffset(head - from) : cells.previousOffset(head - from));
  }
}

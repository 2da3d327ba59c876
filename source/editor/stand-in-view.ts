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

/** Whether the walk goes on over the next character, the first one already passed. */
type By = (first: string) => (next: string) => boolean;

/** Characters that one motion passes: hostile text has words that would take seconds. */
const longestMotion = 1 << 12;

/** What commands that are made for CodeMirror's DOM view ask of it, answered in terminal cells. */
export class StandInView {
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

  /** As what the commands take. They reach nothing of a view but what stands here. */
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

  /** Left to right: text is drawn, and moved through, in its logical order. */
  textDirectionAt(): number {
    return 0;
  }

  /** One character on, over line breaks; with `by`, on as long as it says. */
  moveByChar(start: SelectionRange, forward: boolean, by?: By): SelectionRange {
    const { doc } = this.state;
    let line = doc.lineAt(start.head);
    let { head } = start;
    let goesOn: ((next: string) => boolean) | undefined;
    for (let passes = 0; passes < longestMotion; passes += 1) {
      const isAtEdge = head === (forward ? line.to : line.from);
      const next = isAtEdge ? head + (forward ? 1 : -1) : this.#inLine(line, head, forward);
      if (next < 0 || next > doc.length) break;
      const passed = isAtEdge
        ? '\n'
        : line.text.slice(Math.min(head, next) - line.from, Math.max(head, next) - line.from);
      if (goesOn === undefined) goesOn = by?.(passed);
      else if (!goesOn(passed)) break;
      head = next;
      if (goesOn === undefined) break;
      if (isAtEdge) line = doc.lineAt(head);
    }
    return EditorSelection.cursor(head, forward ? -1 : 1);
  }

  /** Over characters of one category (words, spaces, others), and over the spaces before them. */
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

  /** Rows up or down, in the column of cells where the motion began. */
  moveVertically(start: SelectionRange, forward: boolean, distance = 1): SelectionRange {
    const { doc } = this.state;
    const from = doc.lineAt(start.head);
    const place = this.#geometry.line(from.number).placeOf(start.head - from.from);
    const goal = start.goalColumn ?? place.cell;
    const here = { line: from.number, row: place.row };
    const there = this.#geometry.step(here, forward ? distance : -distance);
    if (there.line === here.line && there.row === here.row) {
      return EditorSelection.cursor(start.head, 1, undefined, goal);
    }
    const offset = this.#geometry.line(there.line).offsetAt(there.row, goal);
    return EditorSelection.cursor(doc.line(there.line).from + offset, 1, undefined, goal);
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
    const { cell } = this.#geometry.line(number).placeOf(position - from);
    return { left: cell, right: cell, top: number - 1, bottom: number };
  }

  #inLine({ number, from }: Line, head: number, forward: boolean): number {
    const cells = this.#geometry.line(number);
    return from + (forward ? cells.after(head - from) : cells.before(head - from));
  }
}

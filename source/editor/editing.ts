import type { EditorState, Transaction, TransactionSpec } from '@codemirror/state';
import { Geometry } from './geometry.ts';
import { EditorGlyphs, type Drawing } from './glyphs.ts';
import { StandInView } from './stand-in-view.ts';
import { Viewport, type EditorSize } from './viewport.ts';

/** An edited text and its viewport: the state on which all editor commands act. */
export class Editing {
  #state: EditorState;
  readonly #glyphs: EditorGlyphs;
  readonly geometry: Geometry;
  readonly viewport: Viewport;
  readonly view: StandInView;
  /** True while the mark is set, so that motions select. The next change of the text clears it. */
  marking = false;

  constructor(state: EditorState, drawing: Drawing, size: EditorSize) {
    this.#state = state;
    this.#glyphs = new EditorGlyphs(drawing);
    this.geometry = new Geometry(state.doc, {
      glyphs: this.#glyphs,
      tabSize: state.tabSize,
      wrapAt: undefined,
    });
    this.viewport = new Viewport(this.geometry, state.doc, size);
    this.view = new StandInView(
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

  reshape(size: EditorSize, wraps: boolean): void {
    this.geometry.reshape({
      glyphs: this.#glyphs,
      tabSize: this.#state.tabSize,
      wrapAt: wraps ? Math.max(1, size.columns) : undefined,
    });
    this.viewport.resize(size);
    this.viewport.follow(this.#state.selection.main.head);
  }

  #apply(transaction: Transaction): void {
    this.#state = transaction.state;
    if (transaction.docChanged) {
      this.marking = false;
      this.geometry.change(transaction.newDoc, transaction.changes);
      this.viewport.change(transaction.newDoc, transaction.changes);
    }
    this.viewport.follow(this.#state.selection.main.head);
  }
}

import type { EditorState, Transaction, TransactionSpec } from '@codemirror/state';
import { ChangedLines } from './changed-lines.ts';
import { Geometry } from './geometry.ts';
import { GlyphCache, type GlyphRenderer } from './glyphs.ts';
import { CellView } from './stand-in-view.ts';
import { Viewport, type EditorSize } from './viewport.ts';

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

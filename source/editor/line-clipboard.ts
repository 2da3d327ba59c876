import { EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state';

/** The editor's clipboard. Lines cut in succession are pasted together. */
export class LineClipboard {
  #text = '';
  /** The state after the last line was cut. A cut from this very state appends to the clipboard. */
  #stateAfterCut: EditorState | undefined;

  get text(): string {
    return this.#text;
  }

  /** Copies the selected text. Returns false when nothing is selected. */
  copy(state: EditorState): boolean {
    const { from, to, empty } = state.selection.main;
    if (empty) return false;
    this.#text = state.sliceDoc(from, to);
    this.#stateAfterCut = undefined;
    return true;
  }

  /** Copies the cursor's line with its line break and returns the transaction that removes it. */
  cutLine(state: EditorState): TransactionSpec | undefined {
    const line = state.doc.lineAt(state.selection.main.head);
    const to = Math.min(state.doc.length, line.to + 1);
    if (to === line.from) return undefined;
    const text = state.sliceDoc(line.from, to);
    this.#text = this.#stateAfterCut === state ? this.#text + text : text;
    return {
      changes: { from: line.from, to },
      selection: EditorSelection.cursor(line.from),
      userEvent: 'delete.cut',
    };
  }

  /** Records the state after the transaction of `cutLine`. */
  recordCut(state: EditorState): void {
    this.#stateAfterCut = state;
  }
}

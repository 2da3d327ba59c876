import { EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state';

/** What was cut or copied, and how to do it. Lines cut one after the other come back as one. */
export class LineClipboard {
  #text = '';
  /** The state that the last line was cut to: what is cut from exactly there is added. */
  #cutTo: EditorState | undefined;

  get text(): string {
    return this.#text;
  }

  /** Keeps the selected text; false where nothing is selected. */
  copy(state: EditorState): boolean {
    const { from, to, empty } = state.selection.main;
    if (empty) return false;
    this.#text = state.sliceDoc(from, to);
    this.#cutTo = undefined;
    return true;
  }

  /** What takes out the cursor's line with its line break, which is kept here. */
  cutLine(state: EditorState): TransactionSpec | undefined {
    const line = state.doc.lineAt(state.selection.main.head);
    const to = Math.min(state.doc.length, line.to + 1);
    if (to === line.from) return undefined;
    const text = state.sliceDoc(line.from, to);
    this.#text = this.#cutTo === state ? this.#text + text : text;
    return {
      changes: { from: line.from, to },
      selection: EditorSelection.cursor(line.from),
      userEvent: 'delete.cut',
    };
  }

  /** Says what state `cutLine` led to. */
  hasCutTo(state: EditorState): void {
    this.#cutTo = state;
  }
}

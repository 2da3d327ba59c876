import * as codemirror from '@codemirror/commands';
import { EditorSelection, type TransactionSpec, type EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { EditSession } from './editing.ts';
import { motionCommands, type EditorCommand, type EditorMotion } from './editor-command.ts';
import { backspaceTarget, deletionSpec, indentSpec, insertionSpec } from './edits.ts';

type Run = () => boolean;
type PlainCommand = Exclude<EditorCommand, EditorMotion | `select-${EditorMotion}`>;

/** Runs the editor commands that keys are bound to. */
export class CommandRunner {
  readonly #editing: EditSession;
  readonly #clipboard = new LineClipboard();
  readonly #commands: Readonly<Record<PlainCommand, Run>>;

  constructor(editing: EditSession) {
    this.#editing = editing;
    const { view } = editing;
    const run =
      (command: (view: EditorView) => boolean): Run =>
      () =>
        command(view.asView);
    const change =
      (spec: () => TransactionSpec | undefined): Run =>
      () =>
        this.#change(spec());
    this.#commands = {
      newline: run(codemirror.insertNewlineAndIndent),
      backspace: change(() => deletionSpec(view, (start) => backspaceTarget(view, start))),
      delete: change(() => deletionSpec(view, (start) => view.moveByChar(start, true))),
      'delete-word': change(() => deletionSpec(view, (start) => view.moveByGroup(start, false))),
      'delete-word-forward': change(() =>
        deletionSpec(view, (start) => view.moveByGroup(start, true)),
      ),
      indent: run(codemirror.indentMore),
      outdent: run(codemirror.indentLess),
      tab: () => this.#tab(),
      comment: run(codemirror.toggleComment),
      'move-line-up': run(codemirror.moveLineUp),
      'move-line-down': run(codemirror.moveLineDown),
      'set-mark': () => this.#toggleMark(),
      'clear-selection': () => this.#clearSelection(),
      'select-all': run(codemirror.selectAll),
      copy: () => this.#copy(),
      cut: () => this.#clipboard.copy(editing.state) && this.#change(this.#cutSelection()),
      'cut-line': () => this.#cutLine(),
      paste: () => this.#clipboard.text !== '' && this.paste(this.#clipboard.text),
      undo: run(codemirror.undo),
      redo: run(codemirror.redo),
    };
  }

  /** The last cut or copied text. */
  get clipboard(): string {
    return this.#clipboard.text;
  }

  /** Runs a command. Returns false when it had no effect. */
  run(command: EditorCommand): boolean {
    const motion = command.startsWith('select-') ? command.slice('select-'.length) : command;
    if (!isMotion(motion)) return this.#commands[command as PlainCommand]();
    const selects = motion !== command || this.#editing.isMarkSet;
    if (motion === 'page-up' || motion === 'page-down') {
      return this.#page(motion === 'page-down', selects);
    }
    return motionCommands[motion][selects ? 1 : 0](this.#editing.view.asView);
  }

  /** Inserts a text as one undo step. */
  paste(text: string): boolean {
    return this.#change(insertionSpec(this.#editing.state, text, 'input.paste'));
  }

  #change(spec: TransactionSpec | undefined): boolean {
    if (spec === undefined) return false;
    this.#editing.update(spec);
    return true;
  }

  #tab(): boolean {
    const { state, view } = this.#editing;
    return state.selection.main.empty
      ? this.#change(indentSpec(state))
      : codemirror.indentMore(view.asView);
  }

  #toggleMark(): boolean {
    const isSet = this.#editing.isMarkSet;
    this.#clearSelection();
    this.#editing.isMarkSet = !isSet;
    return true;
  }

  #clearSelection(): boolean {
    const { head, empty } = this.#editing.state.selection.main;
    const hadEffect = !empty || this.#editing.isMarkSet;
    this.#editing.isMarkSet = false;
    if (!empty) this.#editing.update({ selection: EditorSelection.cursor(head) });
    return hadEffect;
  }

  #copy(): boolean {
    if (!this.#clipboard.copy(this.#editing.state)) return false;
    this.#editing.isMarkSet = false;
    return true;
  }

  #cutSelection(): TransactionSpec {
    return {
      ...deletionSpec(this.#editing.view, (start) => start),
      userEvent: 'delete.cut',
      annotations: codemirror.isolateHistory.of('full'),
    };
  }

  #cutLine(): boolean {
    const { state } = this.#editing;
    if (!state.selection.main.empty) return this.run('cut');
    const isCut = this.#change(this.#clipboard.cutLine(state));
    if (isCut) this.#clipboard.recordCut(this.#editing.state);
    return isCut;
  }

  /** Moves by a page less two rows; the cursor keeps its row on the screen. */
  #page(forward: boolean, selects: boolean): boolean {
    const { state, view, viewport } = this.#editing;
    const { main } = state.selection;
    const rows = Math.max(1, viewport.size.rows - 2);
    let moved = view.moveVertically(main, forward, rows);
    if (moved.head === main.head) moved = view.moveToLineBoundary(main, forward);
    if (moved.head === main.head && (selects || main.empty)) return false;
    viewport.scroll(forward ? rows : -rows);
    const { head, goalColumn } = moved;
    const selection = selects
      ? EditorSelection.range(main.anchor, head, goalColumn)
      : EditorSelection.cursor(head, 1, undefined, goalColumn);
    this.#editing.update({ selection, userEvent: 'select' });
    return true;
  }
}

function isMotion(name: string): name is EditorMotion {
  return name in motionCommands || name === 'page-up' || name === 'page-down';
}

/** The editor's clipboard. Lines cut in succession are pasted together. */
class LineClipboard {
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

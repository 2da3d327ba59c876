import { isolateHistory } from '@codemirror/commands';
import { getIndentUnit, indentUnit } from '@codemirror/language';
import {
  countColumn,
  EditorSelection,
  type EditorState,
  type SelectionRange,
  type TransactionSpec,
} from '@codemirror/state';
import { readDocument, writeDocument } from './document.ts';
import { setFormatEffect, fileFormatOf } from './editor-state.ts';
import type { CellView } from './stand-in-view.ts';

/** Replaces the selection by a text and moves the cursor behind it. */
export function insertionSpec(state: EditorState, text: string, event: string): TransactionSpec {
  const { from, to } = state.selection.main;
  const insert = state.toText(text.replaceAll(/\r\n?/g, '\n'));
  return {
    changes: { from, to, insert },
    selection: EditorSelection.cursor(from + insert.length),
    userEvent: event,
    // A paste is one undo step.
    annotations: event === 'input.type' ? [] : isolateHistory.of('full'),
  };
}

/** Deletes the selection, or else the text between the cursor and the target of a motion. */
export function deletionSpec(
  view: CellView,
  motion: (start: SelectionRange) => SelectionRange,
): TransactionSpec | undefined {
  const { main } = view.state.selection;
  const { head } = main.empty ? motion(main) : main;
  const [from, to] = [Math.min(main.anchor, head), Math.max(main.anchor, head)];
  if (from === to) return undefined;
  const direction = head < main.head ? 'backward' : 'forward';
  return {
    changes: { from, to },
    selection: EditorSelection.cursor(from),
    userEvent: main.empty ? `delete.${direction}` : 'delete.selection',
  };
}

/** Returns the target of backspace: one character back, or the previous indentation stop. */
export function backspaceTarget(view: CellView, start: SelectionRange): SelectionRange {
  const { state } = view;
  const { from } = state.doc.lineAt(start.head);
  const before = start.head - from <= 200 ? state.sliceDoc(from, start.head) : '';
  if (!/^[ \t]* $/.test(before)) return view.moveByChar(start, false);
  const unit = getIndentUnit(state);
  const toStop = countColumn(before, state.tabSize) % unit || unit;
  const spaces = / *$/.exec(before)?.[0].length ?? 0;
  return EditorSelection.cursor(start.head - Math.min(toStop, spaces));
}

/** Indents at the cursor: up to the next stop, or by a tab in a text that uses tabs. */
export function indentSpec(state: EditorState): TransactionSpec {
  const unit = state.facet(indentUnit);
  const { head } = state.selection.main;
  const { from } = state.doc.lineAt(head);
  if (unit === '\t') return insertionSpec(state, unit, 'input.type');
  // Counting columns from the start of a very long line would be slow, so only its tail counts.
  const column = countColumn(state.sliceDoc(Math.max(from, head - 4096), head), state.tabSize);
  const spaces = unit.length - (column % unit.length);
  return insertionSpec(state, ' '.repeat(spaces), 'input.type');
}

/** Replaces the whole text, except for equal text at both ends. */
export function replacementSpec(state: EditorState, text: string): TransactionSpec {
  const { doc, format } = readDocument(text);
  const before = state.doc.toString();
  const after = doc.toString();
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let end = 0;
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  ) {
    end += 1;
  }
  const { head } = state.selection.main;
  const line = state.doc.lineAt(head);
  const sameLine = doc.line(Math.min(line.number, doc.lines));
  const isInside = head > start && head < before.length - end;
  const shiftedHead = head <= start ? head : head + after.length - before.length;
  const nearHead = Math.min(sameLine.to, sameLine.from + head - line.from);
  return {
    changes: { from: start, to: before.length - end, insert: doc.slice(start, after.length - end) },
    selection: EditorSelection.cursor(isInside ? nearHead : shiftedHead),
    effects: setFormatEffect.of(format),
    userEvent: 'input.load',
    annotations: isolateHistory.of('full'),
  };
}

/** Returns the file's text as it would be saved. */
export function fileText(state: EditorState): string {
  return writeDocument(state.doc, fileFormatOf(state));
}

import { isolateHistory } from '@codemirror/commands';
import { getIndentUnit, indentUnit } from '@codemirror/language';
import {
  countColumn,
  EditorSelection,
  type EditorState,
  type SelectionRange,
  type Text,
  type TransactionSpec,
} from '@codemirror/state';
import { diffLines } from './diff.ts';
import { readDocument, writeDocument } from './document.ts';
import { splitLines } from './text-lines.ts';
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

/** A range that is replaced, and the range of the new text that replaces it. */
interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** Replaces the whole text, except for equal lines; the cursor and the selection keep their lines. */
export function replacementSpec(state: EditorState, text: string): TransactionSpec {
  const { doc, format } = readDocument(text);
  const replacements = replacementsBetween(state.doc.toString(), doc.toString());
  const moved = (position: number): number => movedPosition(position, replacements, state.doc, doc);
  const { anchor, head } = state.selection.main;
  return {
    changes: replacements.map(({ from, to, newFrom, newTo }) => ({
      from,
      to,
      insert: doc.slice(newFrom, newTo),
    })),
    selection: EditorSelection.range(moved(anchor), moved(head)),
    effects: setFormatEffect.of(format),
    userEvent: 'input.load',
    annotations: isolateHistory.of('full'),
  };
}

/** Returns the differing text without the equal ends, or where it has several parts, the lines of each. */
function replacementsBetween(before: string, after: string): readonly Replacement[] {
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
  const whole = { from: start, to: before.length - end, newFrom: start, newTo: after.length - end };
  const first = start === 0 ? 0 : before.lastIndexOf('\n', start - 1) + 1;
  const old = splitLines(before.slice(first, whole.to));
  const now = splitLines(after.slice(first, whole.newTo));
  const hunks = diffLines(old, now);
  if (hunks.length < 2) return [whole];
  const offsets = lineOffsets(old, first);
  const newOffsets = lineOffsets(now, first);
  return hunks.map(({ beforeFrom, beforeTo, afterFrom, afterTo }) => ({
    from: offsets[beforeFrom] ?? whole.to,
    to: offsets[beforeTo] ?? whole.to,
    newFrom: newOffsets[afterFrom] ?? whole.newTo,
    newTo: newOffsets[afterTo] ?? whole.newTo,
  }));
}

/** Returns the offset of each line, and the one behind the last. */
function lineOffsets(lines: readonly string[], first: number): readonly number[] {
  const offsets = [first];
  for (const [at, line] of lines.entries()) offsets.push((offsets[at] ?? first) + line.length);
  return offsets;
}

/** Returns the position in the new text; inside a replaced range, that of the same line and column. */
function movedPosition(
  position: number,
  replacements: readonly Replacement[],
  before: Text,
  after: Text,
): number {
  let shift = 0;
  for (const { from, to, newFrom, newTo } of replacements) {
    if (position <= from) break;
    if (position < to) {
      const line = before.lineAt(position);
      const moved = line.number + after.lineAt(newFrom).number - before.lineAt(from).number;
      const same = after.line(Math.min(moved, after.lines));
      return Math.min(same.to, same.from + position - line.from);
    }
    shift = newTo - to;
  }
  return position + shift;
}

/** Returns the file's text as it would be saved. */
export function fileText(state: EditorState): string {
  return writeDocument(state.doc, fileFormatOf(state));
}

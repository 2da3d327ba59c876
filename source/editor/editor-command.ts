import * as codemirror from '@codemirror/commands';
import type { EditorView } from '@codemirror/view';

/** The commands of the editor that need no argument. */
export type EditorCommand =
  | EditorMotion
  | `select-${EditorMotion}`
  | EditorChange
  | 'set-mark'
  | 'clear-selection'
  | 'select-all'
  | 'copy'
  | 'cut'
  | 'cut-line'
  | 'paste'
  | 'undo'
  | 'redo';

/** Cursor motions. Each one also selects, as `select-…` or while the mark is set. */
export type EditorMotion =
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'word-left'
  | 'word-right'
  | 'line-start'
  | 'line-end'
  | 'page-up'
  | 'page-down'
  | 'document-start'
  | 'document-end'
  | 'matching-bracket';

type EditorChange =
  | 'newline'
  | 'backspace'
  | 'delete'
  | 'delete-word'
  | 'delete-word-forward'
  | 'indent'
  | 'outdent'
  | 'tab'
  | 'comment'
  | 'move-line-up'
  | 'move-line-down';

type ViewCommand = (view: EditorView) => boolean;

/** CodeMirror's move and select command for each motion, except paging, which also scrolls. */
export const motionCommands: Readonly<
  Record<Exclude<EditorMotion, 'page-up' | 'page-down'>, readonly [ViewCommand, ViewCommand]>
> = {
  left: [codemirror.cursorCharLeft, codemirror.selectCharLeft],
  right: [codemirror.cursorCharRight, codemirror.selectCharRight],
  up: [codemirror.cursorLineUp, codemirror.selectLineUp],
  down: [codemirror.cursorLineDown, codemirror.selectLineDown],
  'word-left': [codemirror.cursorGroupLeft, codemirror.selectGroupLeft],
  'word-right': [codemirror.cursorGroupRight, codemirror.selectGroupRight],
  'line-start': [codemirror.cursorLineBoundaryBackward, codemirror.selectLineBoundaryBackward],
  'line-end': [codemirror.cursorLineBoundaryForward, codemirror.selectLineBoundaryForward],
  'document-start': [codemirror.cursorDocStart, codemirror.selectDocStart],
  'document-end': [codemirror.cursorDocEnd, codemirror.selectDocEnd],
  'matching-bracket': [codemirror.cursorMatchingBracket, codemirror.selectMatchingBracket],
};

import { history, invertedEffects } from '@codemirror/commands';
import { indentUnit } from '@codemirror/language';
import { EditorState, StateEffect, StateField, type Extension } from '@codemirror/state';
import { readDocument, type FileDocument, type FileFormat } from './document.ts';
import { indentationOf } from './indentation.ts';

/** Undo steps to keep: enough to reach the opened file across every save. */
const undoDepth = 1_000_000;

const defaultIndentation = '  ';

/**
 * Changes the file's format. Undo restores the format together with the text of that transaction.
 */
export const formatEffect = StateEffect.define<FileFormat>();

const formatField = StateField.define<FileFormat>({
  create: () => ({ bom: false, lineEnd: '\n' }),
  update: (format, transaction) =>
    transaction.effects.reduce(
      (current, effect) => (effect.is(formatEffect) ? effect.value : current),
      format,
    ),
});

const formatHistory = invertedEffects.of(({ effects, startState }) =>
  effects.some((effect) => effect.is(formatEffect)) ? [formatEffect.of(formatOf(startState))] : [],
);

/** Returns the format in which the file of a state is written. */
export function formatOf(state: EditorState): FileFormat {
  return state.field(formatField);
}

/** Creates the editor state for a file, given as its text or as an already parsed document. */
export function openedState(
  file: string | FileDocument,
  tabSize: number,
  extensions: Extension,
): EditorState {
  const { doc, format } = typeof file === 'string' ? readDocument(file) : file;
  const indentation = indentationOf(doc);
  return EditorState.create({
    doc,
    extensions: [
      history({ minDepth: undoDepth }),
      // A `\r` inside a line is an ordinary character.
      EditorState.lineSeparator.of('\n'),
      EditorState.tabSize.of(tabSize),
      // The indentation detected in the text precedes the default of its language.
      indentation === undefined ? [] : indentUnit.of(indentation),
      extensions,
      indentUnit.of(defaultIndentation),
      formatField.init(() => format),
      formatHistory,
    ],
  });
}

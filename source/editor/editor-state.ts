import { history, invertedEffects } from '@codemirror/commands';
import { indentUnit } from '@codemirror/language';
import { EditorState, StateEffect, StateField, type Extension, type Text } from '@codemirror/state';
import { readDocument, type FileDocument, type FileFormat } from './document.ts';

/** Undo steps to keep: enough to reach the opened file across every save. */
const undoDepth = 1_000_000;

const defaultIndentation = '  ';
const maxSampledLines = 1000;

/**
 * Changes the file's format. Undo restores the format together with the text of that transaction.
 */
export const setFormatEffect = StateEffect.define<FileFormat>();

const formatField = StateField.define<FileFormat>({
  create: () => ({ hasBom: false, lineEnd: '\n' }),
  update: (format, transaction) =>
    transaction.effects.reduce(
      (current, effect) => (effect.is(setFormatEffect) ? effect.value : current),
      format,
    ),
});

const formatHistory = invertedEffects.of(({ effects, startState }) =>
  effects.some((effect) => effect.is(setFormatEffect))
    ? [setFormatEffect.of(fileFormatOf(startState))]
    : [],
);

/** Returns the format in which the file of a state is written. */
export function fileFormatOf(state: EditorState): FileFormat {
  return state.field(formatField);
}

/** Creates the editor state for a file, given as its text or as an already parsed document. */
export function createEditorState(
  file: string | FileDocument,
  tabSize: number,
  extensions: Extension,
): EditorState {
  const { doc, format } = typeof file === 'string' ? readDocument(file) : file;
  const indentation = detectIndentation(doc);
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

/**
 * Returns the indentation unit of a document: a tab, or the number of spaces by which its first
 * indented line is indented further; undefined when no line is indented.
 */
function detectIndentation(doc: Text): string | undefined {
  const last = Math.min(doc.lines, maxSampledLines);
  let previous = 0;
  for (const text of doc.iterLines(1, last + 1)) {
    if (text.startsWith('\t')) return '\t';
    const spaces = /^ */.exec(text)?.[0].length ?? 0;
    const isBlank = spaces === text.length;
    const step = spaces - previous;
    if (!isBlank && step >= 2 && step <= 8) return ' '.repeat(step);
    if (!isBlank) previous = spaces;
  }
  return undefined;
}

import { history, invertedEffects } from '@codemirror/commands';
import { indentUnit } from '@codemirror/language';
import { EditorState, StateEffect, StateField, type Extension } from '@codemirror/state';
import { readDocument, type FileDocument, type FileFormat } from './document.ts';
import { indentationOf } from './indentation.ts';

/** Undo reaches back to the opening of the file, across every save. */
const stepsKept = 1_000_000;

const usualIndentation = '  ';

/** Changes the file's format; undone with the change of the text it came with. */
export const formatEffect = StateEffect.define<FileFormat>();

const formatField = StateField.define<FileFormat>({
  create: () => ({ bom: false, lineEnd: '\n' }),
  update: (format, transaction) =>
    transaction.effects.reduce(
      (before, effect) => (effect.is(formatEffect) ? effect.value : before),
      format,
    ),
});

const undoneFormat = invertedEffects.of(({ effects, startState }) =>
  effects.some((effect) => effect.is(formatEffect)) ? [formatEffect.of(formatOf(startState))] : [],
);

/** The format that the file of a state is written in. */
export function formatOf(state: EditorState): FileFormat {
  return state.field(formatField);
}

/** The first state of an editor for a file. */
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
      history({ minDepth: stepsKept }),
      // A `\r` inside a line is a character of it.
      EditorState.lineSeparator.of('\n'),
      EditorState.tabSize.of(tabSize),
      // What the text looks like holds before what a language says of its indentation.
      indentation === undefined ? [] : indentUnit.of(indentation),
      extensions,
      indentUnit.of(usualIndentation),
      formatField.init(() => format),
      undoneFormat,
    ],
  });
}

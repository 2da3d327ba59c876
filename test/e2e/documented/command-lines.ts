/** The shell commands in the blocks of the documents. */
import { documents, readDocument } from '../../docs/documents.ts';

/** Beginnings of lines that are commands: variables, a program of the documents, or `source`. */
const command = /^(?:[A-Z_]+=\S+ )*(?:hostdeck|npm|date|source)\b/;

/** Returns each command of the documents once, without the explanation behind three spaces. */
export function documentedCommands(): readonly string[] {
  const lines = documents.flatMap((file) =>
    [...readDocument(file).matchAll(/^```\n([^]*?)^```/gm)].flatMap(([, block = '']) =>
      block.split('\n').map((line) => line.split(/ {3,}/)[0] ?? ''),
    ),
  );
  return [...new Set(lines.filter((line) => command.test(line)))];
}

/** The shell commands of the documents: those in their blocks, and those in their sentences. */
import { documents, readDocument } from '../../docs/documents.ts';

/** Beginnings of lines that are commands: variables, a program of the documents, or `source`. */
const command = /^(?:[A-Z_]+=\S+ )*(?:hostdeck|npm|date|source)\b/;

const block = /^```\w*\n([^]*?)^```/gm;

/** Command in a sentence that stands for a form: it ends with flags to choose, or has a word to replace. */
const form = /\bFLAGS\b|\b(?:NAME|FILE|URL|DIR)\b/;

/** Returns each command of the documents once, without the explanation behind three spaces. */
export function documentedCommands(): readonly string[] {
  const lines = documents.flatMap((file) => {
    const text = readDocument(file);
    const blocks = [...text.matchAll(block)].flatMap(([, lines = '']) => lines.split('\n'));
    const typed = blocks.map((line) => line.split(/ {3,}/)[0] ?? '');
    // The changelog names commands as they were.
    return file === 'CHANGELOG.md' ? typed : typed.concat(inSentences(text));
  });
  return [...new Set(lines.filter((line) => command.test(line)))];
}

/** Returns the commands between backticks outside of blocks that could be typed as they stand. */
function inSentences(text: string): readonly string[] {
  return [...text.replaceAll(block, '').matchAll(/`([^`]+)`/g)]
    .map(([, line = '']) => line.replaceAll(/\s+/g, ' '))
    .filter((line) => line.includes(' ') && !form.test(line));
}

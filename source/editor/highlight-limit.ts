import type { Text } from '@codemirror/state';
import type { LanguageName } from './languages.ts';

/** Code units of text up to which its words are told apart. */
const longest = 2 * 1024 * 1024;

/** The same for languages in which every change looks through the others nested in them. */
const longestNested = 128 * 1024;

const nesting: ReadonlySet<LanguageName | undefined> = new Set(['html', 'markdown']);

/** Code units of a line, or of a paragraph of Markdown: grammars can take the square of it. */
const longestLine = 20_000;

/** Whether a text of so many code units is highlighted and looked through for problems. */
export function isHighlighted(length: number, language?: LanguageName): boolean {
  return length <= (nesting.has(language) ? longestNested : longest);
}

/** The same for a text itself, of which also no line or paragraph may be too long. */
export function isReadable(doc: Text, language: LanguageName): boolean {
  if (!isHighlighted(doc.length, language) || hasLongLine(doc)) return false;
  return language !== 'markdown' || !hasLongParagraph(doc);
}

function hasLongParagraph(doc: Text): boolean {
  if (doc.length <= longestLine) return false;
  let length = 0;
  for (const line of doc.iterLines()) {
    length = /\S/.test(line) ? length + line.length : 0;
    if (length > longestLine) return true;
  }
  return false;
}

/** Looks only into the parts of a text that are long enough. */
function hasLongLine(doc: Text): boolean {
  if (doc.length <= longestLine) return false;
  if (doc.children !== null) return doc.children.some(hasLongLine);
  for (const line of doc.iterLines()) if (line.length > longestLine) return true;
  return false;
}

import type { Text } from '@codemirror/state';
import type { LanguageName } from './languages.ts';

/** The longest text in code units that is highlighted. */
const maxLength = 2 * 1024 * 1024;

/** The longest text for languages whose parser visits all nested parts with every change. */
const maxNestedLength = 128 * 1024;

const nestedLanguages: ReadonlySet<LanguageName | undefined> = new Set(['html', 'markdown']);

/** The longest line, or paragraph of Markdown, in code units: some grammars take quadratic time. */
const maxLineLength = 20_000;

/** Returns true when a text of this length is highlighted and checked for problems. */
export function canHighlightLength(length: number, language?: LanguageName): boolean {
  return length <= (nestedLanguages.has(language) ? maxNestedLength : maxLength);
}

/** Returns true when a text is short enough as a whole and in each line or paragraph. */
export function canHighlight(doc: Text, language: LanguageName): boolean {
  if (!canHighlightLength(doc.length, language) || hasLongLine(doc)) return false;
  return language !== 'markdown' || !hasLongParagraph(doc);
}

function hasLongParagraph(doc: Text): boolean {
  if (doc.length <= maxLineLength) return false;
  let length = 0;
  for (const line of doc.iterLines()) {
    length = /\S/.test(line) ? length + line.length : 0;
    if (length > maxLineLength) return true;
  }
  return false;
}

/** Returns true when a line is too long. Subtrees shorter than the limit are skipped. */
function hasLongLine(doc: Text): boolean {
  if (doc.length <= maxLineLength) return false;
  if (doc.children !== null) return doc.children.some(hasLongLine);
  for (const line of doc.iterLines()) if (line.length > maxLineLength) return true;
  return false;
}

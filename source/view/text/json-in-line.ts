import { indentedJson } from './indented-json.ts';

/** What a line has of JSON. */
export type JsonInLine =
  | { readonly kind: 'none' }
  | { readonly kind: 'too-long' }
  /** `text` as it stands in the line, and with one value a line. */
  | { readonly kind: 'json'; readonly text: string; readonly indented: string };

/** Characters that are read at once in less time than a key may wait. */
const longest = 64 * 1024;

/** Places in a line where JSON is looked for. */
const mostTries = 8;

/** JSON that a line is, or that it ends in behind words of its own. */
export function jsonInLine(line: string): JsonInLine {
  const end = line.slice(-longest).trimEnd();
  if (!end.endsWith('}') && !end.endsWith(']')) return { kind: 'none' };
  if (line.length > longest) return { kind: 'too-long' };
  const opening = /[{[]/g;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const found = opening.exec(line);
    if (found === null) break;
    const text = line.slice(found.index).trimEnd();
    if (isRecord(text)) return { kind: 'json', text, indented: indentedJson(text) };
  }
  return { kind: 'none' };
}

/** `[3]` at the end of a line is hardly meant as JSON. */
function isRecord(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return !Array.isArray(value) || value.some((each) => typeof each === 'object');
  } catch {
    return false;
  }
}

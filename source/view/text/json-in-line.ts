import { indentedJson } from './indented-json.ts';

/** The JSON in a log line. */
export type JsonInLine =
  | { readonly kind: 'none' }
  | { readonly kind: 'too-long' }
  /** The JSON `text` as it stands in the line, and indented to one value a line. */
  | { readonly kind: 'json'; readonly text: string; readonly indented: string };

/** Maximum characters of a line, so that parsing doesn't delay a key. */
const maxLength = 64 * 1024;

/** Brackets of a line at which parsing is tried. */
const maxAttempts = 8;

/** Finds JSON that makes up a line or ends it after other text. */
export function jsonInLine(line: string): JsonInLine {
  const end = line.slice(-maxLength).trimEnd();
  if (!end.endsWith('}') && !end.endsWith(']')) return { kind: 'none' };
  if (line.length > maxLength) return { kind: 'too-long' };
  const opening = /[{[]/g;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const match = opening.exec(line);
    if (match === null) break;
    const text = line.slice(match.index).trimEnd();
    if (isRecord(text)) return { kind: 'json', text, indented: indentedJson(text) };
  }
  return { kind: 'none' };
}

/** Returns true for objects and for arrays that contain one: a final `[3]` is rarely JSON. */
function isRecord(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return !Array.isArray(value) || value.some((each) => typeof each === 'object');
  } catch {
    return false;
  }
}

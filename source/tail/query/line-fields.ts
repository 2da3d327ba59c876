/** The fields of a line: of a JSON object in it, and `key=value` pairs (logfmt). */
import { stripSilentCodes } from '../silent-codes.ts';

/** Returns the value of one field as text; undefined for a line without it. */
export type FieldReader = (text: string) => string | undefined;

/** Most characters of a line in which fields are looked for. */
const longestLine = 64 * 1024;

/**
 * Returns the reader of a field. A dotted key is one of a nested object, unless the object has the key
 * with its dots. The key must stand in the text as it is.
 */
export function fieldReader(key: string): FieldReader {
  const path = key.split('.');
  const leaf = path.at(-1) ?? key;
  return (text) => {
    if (!text.includes(leaf)) return undefined;
    const line = stripSilentCodes(text.length > longestLine ? text.slice(0, longestLine) : text);
    const object = objectIn(line);
    if (object !== undefined) {
      const value = Object.hasOwn(object, key) ? object[key] : nested(object, path);
      if (value !== undefined) return valueText(value);
    }
    return pairValue(line, `${key}=`);
  };
}

/** Characters before a pair; a space and the start of a line as well. */
const separators = new Set('\t \n \r , ; | ( { ['.split(' ').concat(' '));
const quotedValue = /"((?:[^"\\]|\\.)*)"/y;
const bareValue = /[^\s"]*/y;

/** Returns the value behind `key=`, which a search for the text finds faster than an expression. */
function pairValue(line: string, name: string): string | undefined {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    if (at > 0 && !separators.has(line.charAt(at - 1))) continue;
    quotedValue.lastIndex = at + name.length;
    const quoted = quotedValue.exec(line)?.[1];
    if (quoted !== undefined) return quoted.replaceAll(/\\(.)/g, '$1');
    bareValue.lastIndex = at + name.length;
    return (bareValue.exec(line)?.[0] ?? '').replace(/[,;)\]}]+$/, '');
  }
  return undefined;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** The last line and its object: several fields of a line are read in a row. */
let lastLine = '';
let lastObject: JsonObject | undefined;

/** Returns the object that a line is, or ends with. */
function objectIn(line: string): JsonObject | undefined {
  if (line === lastLine) return lastObject;
  const start = line.indexOf('{"');
  lastLine = line;
  lastObject = start < 0 ? undefined : parsedObject(line.slice(start));
  return lastObject;
}

/** A number that has more digits than a double can tell apart. */
const longNumber = /[\d.]{16}/;

/** Keeps a long number as it is written. TypeScript does not know the third parameter of ES2026. */
const reviver = ((_key: string, value: unknown, { source }: { readonly source?: string }) =>
  typeof value === 'number' && longNumber.test(source ?? '') ? source : value) as (
  key: string,
  value: unknown,
) => unknown;

function parsedObject(text: string): JsonObject | undefined {
  try {
    return asObject(longNumber.test(text) ? JSON.parse(text, reviver) : JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? // A value of JSON has string keys.
      (value as JsonObject)
    : undefined;
}

function nested(object: JsonObject, path: readonly string[]): unknown {
  let value: unknown = object;
  for (const part of path) {
    const inner = asObject(value);
    if (inner === undefined || !Object.hasOwn(inner, part)) return undefined;
    value = inner[part];
  }
  return value;
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Most fields of a line that are named. */
const mostFields = 100;
const anyPair = /(?:^|[\s,;|({[])([A-Za-z_@][\w.@-]{0,60})=(?:"(?:[^"\\]|\\.)*"|[^\s"]+)/g;

/** Returns the keys of the fields of a line, in its order; those of nested objects with a dot. */
export function fieldKeys(text: string): readonly string[] {
  const line = stripSilentCodes(text.length > longestLine ? text.slice(0, longestLine) : text);
  const object = objectIn(line);
  const keys = new Set<string>();
  for (const [key, value] of Object.entries(object ?? {})) {
    const inner = asObject(value);
    if (inner === undefined) keys.add(key);
    else for (const innerKey of Object.keys(inner)) keys.add(`${key}.${innerKey}`);
  }
  if (object === undefined) for (const [, key = ''] of line.matchAll(anyPair)) keys.add(key);
  return [...keys].slice(0, mostFields);
}

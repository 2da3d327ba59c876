/** Edits a value of a YAML text by a splice, so that comments, spaces and all other values stay. Pure. */
import { isCollection, isMap, type Node, type Pair, stringify, type YAMLMap } from 'yaml';
import { readYaml } from '../contract/sdl/yaml.ts';
import { haveSameValues, isEmptyValue, keyText, textAt, type ValuePath } from './yaml-values.ts';

/** A value to write: a scalar, or a map of scalars. */
export type NewValue = string | boolean | { readonly [key: string]: NewValue };

/** A part of the text, and what replaces it. */
interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Returns the text with a value at a path. The maps that lead to it are created where they are missing;
 * only a scalar replaces another value. Returns undefined where the text has a form that a splice can't
 * edit: the result is read again, and must differ in this value alone.
 */
export function setYamlValue(text: string, path: ValuePath, value: NewValue): string | undefined {
  return spliced(text, path, value, (root) => {
    let map = root;
    for (const [depth, key] of path.entries()) {
      const pair = findPair(map, key);
      const below = path.slice(depth + 1);
      const entry = below.reduceRight<NewValue>((inner, name) => ({ [name]: inner }), value);
      if (pair === undefined) return addEntry(text, map, key, entry);
      if (below.length === 0) return replaceValue(text, pair, value);
      if (isMap(pair.value) && pair.value.items.length > 0) map = pair.value;
      else return typeof entry === 'object' ? fillMap(text, map, pair, entry) : undefined;
    }
    return undefined;
  });
}

/**
 * Returns the text without the entry at a path. The comments in it go with it, and those right above
 * it unless it is the first of its map, where they may be about all of it. Returns undefined where a
 * splice can't do so.
 */
export function removeYamlValue(text: string, path: ValuePath): string | undefined {
  return spliced(text, path, undefined, (root) => {
    let map: unknown = root;
    for (const key of path.slice(0, -1)) map = isMap(map) ? findPair(map, key)?.value : undefined;
    return isMap(map) ? removeEntry(text, map, path.at(-1) ?? '') : undefined;
  });
}

/** @param value the value that the path must have afterwards; undefined for none. */
function spliced(
  text: string,
  path: ValuePath,
  value: NewValue | undefined,
  spliceOf: (root: YAMLMap | undefined) => Splice | undefined,
): string | undefined {
  const before = readYaml(text);
  const { contents, mistakes } = before;
  if (mistakes.length > 0 || !(isMap(contents) || isEmptyValue(contents))) return undefined;
  const splice = spliceOf(isMap(contents) ? contents : undefined);
  if (splice === undefined) return undefined;
  const result = text.slice(0, splice.start) + splice.text + text.slice(splice.end);
  const after = readYaml(result);
  const isSafe = after.mistakes.length === 0 && haveSameValues(before, after, [path]);
  const isMeant = scalarsOf(path, value).every(([at, found]) => textAt(after, at) === found);
  return isSafe && isMeant ? result : undefined;
}

/** Returns the texts of the scalars in a value, with their paths. */
function scalarsOf(
  path: ValuePath,
  value: NewValue | undefined,
): readonly (readonly [ValuePath, string | undefined])[] {
  if (typeof value !== 'object') return [[path, value === undefined ? undefined : String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => scalarsOf([...path, key], inner));
}

function findPair(map: YAMLMap | undefined, key: string): Pair | undefined {
  return map?.items.find((pair) => keyText(pair.key) === key);
}

/** @param map undefined where the text has no value yet. */
function addEntry(text: string, map: YAMLMap | undefined, key: string, value: NewValue): Splice {
  const last = map?.items.at(-1);
  if (map?.flow === true) {
    const start = last === undefined ? startOf(map) + 1 : endOf(last);
    return insertion(start, `${last === undefined ? '' : ', '}${flowEntry(key, value)}`);
  }
  if (last === undefined) return lineInsertion(text, documentEnd(text), 0, { [key]: value });
  const column = columnOf(text, startOf(last.key));
  return lineInsertion(text, entryEnd(text, last, column), column, { [key]: value });
}

/** Replaces a scalar or an alias where it stands; its anchor, its tag and its comment stay. */
function replaceValue(text: string, { value }: Pair, next: NewValue): Splice | undefined {
  const [start, end] = rangeOf(value) ?? [];
  if (start === undefined || end === undefined || isCollection(value)) return undefined;
  const scalar = flowText(next);
  // A block of lines ends with a line break, which belongs to it.
  if (text[end - 1] === '\n' && end > start) {
    return { start, end, text: `${scalar}${lineBreakOf(text)}` };
  }
  const before = start === end && !/\s/.test(text[start - 1] ?? '') ? ' ' : '';
  const after = start === end && text[start] === '#' ? ' ' : '';
  return { start, end, text: `${before}${scalar}${after}` };
}

/** Gives an entry without a value, or with `{}`, the first entries of its map. */
function fillMap(
  text: string,
  map: YAMLMap | undefined,
  { key, value }: Pair,
  entries: Readonly<Record<string, NewValue>>,
): Splice | undefined {
  const node = value as Node | null;
  const [start, end] = rangeOf(node) ?? [];
  if (start === undefined || end === undefined) return undefined;
  if (map?.flow === true || (isMap(node) && /\n|#/.test(text.slice(start, end)))) {
    if (!isMap(node)) return insertion(start, ` ${flowText(entries)}`);
    const inner = Object.entries(entries).map(([name, inside]) => flowEntry(name, inside));
    return insertion(start + 1, inner.join(', '));
  }
  const lines = lineInsertion(
    text,
    lineEnd(text, end),
    columnOf(text, startOf(key)) + stepOf(text),
    entries,
  );
  if (!isMap(node)) return isEmptyValue(node) ? lines : undefined;
  const spaces = /[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0;
  return {
    start: start - spaces,
    end: lines.end,
    text: text.slice(end, lines.end) + lines.text,
  };
}

function removeEntry(text: string, map: YAMLMap, key: string): Splice | undefined {
  const index = map.items.findIndex((pair) => keyText(pair.key) === key);
  const [previous, pair, next] = [map.items[index - 1], map.items[index], map.items[index + 1]];
  if (pair === undefined) return undefined;
  const start = startOf(pair.key);
  if (map.flow === true) {
    if (next !== undefined) return { start, end: startOf(next.key), text: '' };
    return { start: previous === undefined ? start : endOf(previous), end: endOf(pair), text: '' };
  }
  const column = columnOf(text, start);
  const line = lineStart(text, start);
  const first = previous === undefined ? line : commentsAbove(text, line, column);
  return { start: first, end: entryEnd(text, pair, column), text: '' };
}

/** Returns the end of the last line of an entry, with the comments below that are indented deeper. */
function entryEnd(text: string, pair: Pair, column: number): number {
  const end = endOf(pair);
  let last = text[end - 1] === '\n' ? end : lineEnd(text, end);
  for (let next = last; next < text.length; next = lineEnd(text, next)) {
    const [, indent = '', mark = ''] =
      /^( *)(#?)/.exec(text.slice(next, lineEnd(text, next))) ?? [];
    const isBlank = text.slice(next, lineEnd(text, next)).trim() === '';
    if (mark === '' && !isBlank) break;
    if (mark !== '' && indent.length <= column) break;
    if (mark !== '') last = lineEnd(text, next);
  }
  return last;
}

/** Returns the start of the comments right above a line that are indented like it. */
function commentsAbove(text: string, line: number, column: number): number {
  let first = line;
  while (first > 0 && text.startsWith(`${' '.repeat(column)}#`, lineStart(text, first - 1))) {
    first = lineStart(text, first - 1);
  }
  return first;
}

/** Returns the end of the text of an entry, behind its last value. */
function endOf({ key, value }: Pair): number {
  const node = value as Node | null;
  if (isCollection(node) && node.flow !== true) {
    const last: unknown = node.items.at(-1);
    if (isMap(node) && last !== undefined) return endOf(last as Pair);
    if (last !== undefined) return endOf({ key: last, value: last } as Pair);
  }
  return rangeOf(node)?.[1] ?? rangeOf(key)?.[1] ?? 0;
}

function startOf(node: unknown): number {
  return rangeOf(node)?.[0] ?? 0;
}

function rangeOf(node: unknown): Node['range'] {
  return (node as Node | null)?.range;
}

/** Returns the end of a text without values, which may have comments and document markers. */
function documentEnd(text: string): number {
  const end = /^\.\.\.(?=\s|$)/m.exec(text)?.index;
  return end ?? text.length;
}

/** Inserts the lines of entries in front of a place where a line starts. */
function lineInsertion(
  text: string,
  start: number,
  column: number,
  entries: Readonly<Record<string, NewValue>>,
): Splice {
  const lineBreak = lineBreakOf(text);
  const written = stringify(entries, { ...plainForm, indent: stepOf(text) }).trimEnd();
  const lines = written.split('\n').map((line) => `${' '.repeat(column)}${line}`);
  const isOpen = start > 0 && text[start - 1] !== '\n' && text.slice(0, start) !== '\uFEFF';
  const block = lines.join(lineBreak);
  return insertion(start, isOpen ? `${lineBreak}${block}` : `${block}${lineBreak}`);
}

function insertion(start: number, text: string): Splice {
  return { start, end: start, text };
}

/** Texts stay on one line, whatever is in them, so that every line can be indented. */
const plainForm = {
  lineWidth: 0,
  blockQuote: false,
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
} as const;

function flowText(value: NewValue): string {
  // In a list, because a text in brackets must quote more than another one.
  const list = stringify([value], { ...plainForm, collectionStyle: 'flow' });
  return list.trim().slice(1, -1).trim();
}

function flowEntry(key: string, value: NewValue): string {
  return flowText({ [key]: value })
    .slice(1, -1)
    .trim();
}

function lineBreakOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Returns the spaces by which the text indents a map in a map. */
function stepOf(text: string): number {
  return /^( {2,8})[^\s#]/m.exec(text)?.[1]?.length ?? 2;
}

function lineStart(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** Returns the start of the next line; the end of the text in its last one. */
function lineEnd(text: string, offset: number): number {
  const index = text.indexOf('\n', offset);
  return index === -1 ? text.length : index + 1;
}

/** Returns the spaces before the entry whose line has an offset. */
function columnOf(text: string, offset: number): number {
  const line = text.slice(lineStart(text, offset), offset).replace('\uFEFF', '');
  return /^ */.exec(line)?.[0].length ?? 0;
}

import type { Node } from 'yaml';

/** A value of the document with its path (`services.web.command`) and place. */
export interface SdlField {
  readonly path: string;
  /** What a sentence calls it: its key, or `item 2 of command`. */
  readonly name: string;
  readonly node: Node | null;
  /** Offset in the text: of the value, or of its key where there is none. */
  readonly offset: number;
  /** Offset of its key, or of itself where it has none. */
  readonly keyOffset: number;
}

export function rootField(node: Node | null): SdlField {
  return { path: '', name: 'The text', node, offset: 0, keyOffset: 0 };
}

/** The value of a key; what stands for nothing in a map is at its key. */
export function entryField(
  map: SdlField,
  name: string,
  keyOffset: number,
  value: unknown,
): SdlField {
  const node = nodeOf(value);
  const path = map.path === '' ? name : `${map.path}.${name}`;
  return { path, name, node, offset: node?.range?.[0] ?? keyOffset, keyOffset };
}

/** @param index counts from 0. */
export function itemField(list: SdlField, index: number, value: unknown): SdlField {
  const node = nodeOf(value);
  const offset = node?.range?.[0] ?? list.offset;
  const name = `item ${index + 1} of ${list.name}`;
  return { path: `${list.path}[${index}]`, name, node, offset, keyOffset: offset };
}

function nodeOf(value: unknown): Node | null {
  return (value ?? null) as Node | null;
}

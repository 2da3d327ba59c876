import type { Node } from 'yaml';

/** A value of an SDL with its path, such as `services.web.command`, and its offsets. */
export interface SdlField {
  readonly path: string;
  /** Name in messages: the key, or `item 2 of command`. */
  readonly name: string;
  readonly node: Node | null;
  /** Offset of the value in the text, or of its key if the value is empty. */
  readonly offset: number;
  /** Offset of the key, or of the value if it has no key. */
  readonly keyOffset: number;
}

/** Returns the field of the whole document. */
export function rootField(node: Node | null): SdlField {
  return { path: '', name: 'The text', node, offset: 0, keyOffset: 0 };
}

/** Returns the field of a map entry. An empty value has the offset of its key. */
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

/**
 * Returns the field of a list item.
 * @param index counted from 0.
 */
export function itemField(list: SdlField, index: number, value: unknown): SdlField {
  const node = nodeOf(value);
  const offset = node?.range?.[0] ?? list.offset;
  const name = `item ${index + 1} of ${list.name}`;
  return { path: `${list.path}[${index}]`, name, node, offset, keyOffset: offset };
}

function nodeOf(value: unknown): Node | null {
  return (value ?? null) as Node | null;
}

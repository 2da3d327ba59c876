import { isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml';

/** Formats texts and names for messages. It loads no YAML parser, which the first frame would wait for. */

const maxLength = 40;

/** Returns a text for a message: shortened, and quoted unless it is a plain word. */
export function formatPlainText(text: string): string {
  return /^[\w.+-]+$/.test(text) ? shorten(text) : quoteName(text);
}

/** Returns a name for a message: shortened and quoted. */
export function quoteName(text: string): string {
  return `"${shorten(text)}"`;
}

function shorten(text: string): string {
  const line = text.slice(0, maxLength + 1).replaceAll(/\s/g, ' ');
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}

/** Returns the source text of a scalar, also for numbers and booleans. */
export function scalarText(node: Scalar): string {
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
}

/** Returns a value for a message: a scalar like {@link formatPlainText}, a list or map by its kind. */
export function formatNode(node: Node | null): string {
  if (isMap(node)) return 'a map';
  if (isSeq(node)) return 'a list';
  if (!isScalar(node) || node.value === null) return 'empty';
  return formatPlainText(scalarText(node));
}

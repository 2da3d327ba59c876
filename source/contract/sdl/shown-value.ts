import { isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml';

const longest = 40;

/** Text of a scalar as it was written: numbers and booleans keep their spelling. */
export function scalarText(node: Scalar): string {
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
}

/** A value for a sentence: short, in quotes where it is no plain word, a list or map by its kind. */
export function shownValue(node: Node | null): string {
  if (isMap(node)) return 'a map';
  if (isSeq(node)) return 'a list';
  if (!isScalar(node) || node.value === null) return 'empty';
  return shownText(scalarText(node));
}

/** A text for a sentence: short, in quotes where it is no plain word. */
export function shownText(text: string): string {
  return /^[\w.+-]+$/.test(text) ? shortened(text) : quoted(text);
}

/** A name for a sentence: short, in quotes. */
export function quoted(text: string): string {
  return `"${shortened(text)}"`;
}

function shortened(text: string): string {
  const line = text.slice(0, longest + 1).replaceAll(/\s/g, ' ');
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

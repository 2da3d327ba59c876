/** Formats the values of a YAML document for messages. */
import { isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml';
import { formatPlainText } from './shown-text.ts';

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

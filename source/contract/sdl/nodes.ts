/** Resolves aliases and finds duplicate keys and unclosed nodes in a YAML document. */
import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  type Node,
} from 'yaml';
import { scalarText } from './shown-value.ts';

/** The result of a walk over the nodes of a document. */
export interface NodeIndex {
  /** Target node of each alias with an earlier anchor. */
  readonly targets: ReadonlyMap<Alias, Node>;
  /** Aliases without an earlier anchor. */
  readonly dangling: readonly Alias[];
  /** Keys that repeat an earlier key of their map. */
  readonly duplicates: readonly Node[];
  /** Collections and scalars without their closing bracket, brace or quote, in text order. */
  readonly unclosed: readonly Node[];
}

/** Walks a document once in the order of its text, because an alias refers to an earlier anchor. */
export function indexNodes(document: Document.Parsed, text: string): NodeIndex {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const dangling: Alias[] = [];
  const duplicates: Node[] = [];
  const unclosed: Node[] = [];
  const stack: unknown[] = [document.contents];
  while (stack.length > 0) {
    const node = stack.pop();
    if (isPair(node)) {
      stack.push(node.value, node.key);
    } else if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target === undefined) dangling.push(node);
      else targets.set(node, target);
    } else if (isScalar(node) || isCollection(node)) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
      if (isUnclosed(node, text)) unclosed.push(node);
      if (isMap(node)) duplicates.push(...duplicateKeys(node.items.map((pair) => pair.key)));
      if (isCollection(node)) {
        for (let index = node.items.length - 1; index >= 0; index -= 1) {
          stack.push(node.items[index]);
        }
      }
    }
  }
  return { targets, dangling, duplicates, unclosed };
}

function duplicateKeys(keys: readonly unknown[]): Node[] {
  // Keys are read by their text: 007 and 7 are two names, "7" and 7 are one.
  const seen = new Set<string>();
  return keys.filter((key): key is Node => {
    if (!isScalar(key)) return false;
    const text = scalarText(key);
    const isSeen = seen.has(text);
    seen.add(text);
    return isSeen;
  });
}

const closings: Readonly<Record<string, string>> = { '[': ']', '{': '}', '"': '"', "'": "'" };

/** Returns true for a flow collection or quoted scalar without its closing character. */
function isUnclosed(node: Node, text: string): boolean {
  if (!isQuoted(node) && !(isCollection(node) && node.flow === true)) return false;
  const [start = 0, end = 0] = node.range ?? [];
  const closing = closings[text[start] ?? ''];
  return closing !== undefined && (end - start < 2 || text[end - 1] !== closing);
}

function isQuoted(node: Node): boolean {
  return isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE');
}

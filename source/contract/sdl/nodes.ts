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

/** What one walk over a document finds out about its nodes. */
export interface Nodes {
  /** The node of each alias whose anchor stands before it. */
  readonly targets: ReadonlyMap<Alias, Node>;
  /** Aliases without an anchor before them. */
  readonly dangling: readonly Alias[];
  /** Keys that an earlier key of their map equals already. */
  readonly duplicates: readonly Node[];
  /** Brackets, braces and quotes without their other half, in the order of the text. */
  readonly unclosed: readonly Node[];
}

/** Walks a document once, in the order of its text, which is what anchors go by. */
export function walkNodes(document: Document.Parsed, text: string): Nodes {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const dangling: Alias[] = [];
  const duplicates: Node[] = [];
  const unclosed: Node[] = [];
  const waiting: unknown[] = [document.contents];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (isPair(node)) {
      waiting.push(node.value, node.key);
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
          waiting.push(node.items[index]);
        }
      }
    }
  }
  return { targets, dangling, duplicates, unclosed };
}

function duplicateKeys(keys: readonly unknown[]): Node[] {
  const seen = new Set<unknown>();
  return keys.filter((key): key is Node => {
    if (!isScalar(key)) return false;
    const isSeen = seen.has(key.value);
    seen.add(key.value);
    return isSeen;
  });
}

const closings: Readonly<Record<string, string>> = { '[': ']', '{': '}', '"': '"', "'": "'" };

/** Whether the last character of a flow collection or a quoted scalar is not the one it needs. */
function isUnclosed(node: Node, text: string): boolean {
  if (!isQuoted(node) && !(isCollection(node) && node.flow === true)) return false;
  const [start = 0, end = 0] = node.range ?? [];
  const closing = closings[text[start] ?? ''];
  return closing !== undefined && (end - start < 2 || text[end - 1] !== closing);
}

function isQuoted(node: Node): boolean {
  return isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE');
}

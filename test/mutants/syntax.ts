import { parseAst } from 'vitest/node';

/** A node of a syntax tree (ESTree, with TypeScript's nodes). */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Expressions that TypeScript wraps: the rest of its nodes are erased. */
const wrappers = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** Returns the nodes below one, but for those of types, which are erased. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type === 'ImportDeclaration') return [];
  if (node.type.startsWith('TS')) {
    return wrappers.has(node.type) && isNode(node['expression']) ? [node['expression']] : [];
  }
  return Object.values(node).flat().filter(isNode);
}

/** Returns the syntax tree of a text in TypeScript. */
export function parsed(text: string, isJsx: boolean): SyntaxNode {
  return parseAst(text, { lang: isJsx ? 'tsx' : 'ts' }) as unknown as SyntaxNode;
}

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** A piece of a text, as offsets. */
export type Range = readonly [start: number, end: number];

/** Returns the functions of a tree with a body, in the order in which they begin. */
export function functionsOf(tree: SyntaxNode): readonly Range[] {
  const found: Range[] = [];
  const visit = (node: SyntaxNode): void => {
    if (functions.has(node.type) && isNode(node['body'])) found.push([node.start, node.end]);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(tree);
  return found.toSorted(([left], [right]) => left - right);
}

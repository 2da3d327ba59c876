import { childrenOf, isNode, parsed, type SyntaxNode } from './syntax.ts';

/** A change of a module that its tests should notice. */
export interface Mutation {
  /** The characters of the module that are replaced, from `start` up to and without `end`. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** The operator in place of another one. */
const operators: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
};

/** Returns the mutations of a module, in the order of its text. */
export function mutationsOf(text: string, isJsx: boolean): readonly Mutation[] {
  const found: Mutation[] = [];
  const visit = (node: SyntaxNode): void => {
    const here = mutationsAt(node, text);
    found.push(...here.filter((each) => text.slice(each.start, each.end) !== each.replacement));
    for (const child of childrenOf(node)) visit(child);
  };
  visit(parsed(text, isJsx));
  return found;
}

function mutationsAt(node: SyntaxNode, text: string): readonly Mutation[] {
  const { start, end } = node;
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return otherOperator(node, text);
    case 'IfStatement':
    case 'ConditionalExpression':
    case 'WhileStatement':
      return negated(node['test'], text);
    case 'UnaryExpression':
      return node['operator'] === '!' ? [{ start, end: start + 1, replacement: '' }] : [];
    case 'Literal':
      return otherLiteral(node);
    case 'ReturnStatement':
      return isNode(node['argument']) ? [{ start, end, replacement: 'return undefined;' }] : [];
    case 'ExpressionStatement':
      return isCall(node['expression']) ? [{ start, end, replacement: ';' }] : [];
    default:
      return [];
  }
}

function otherOperator(node: SyntaxNode, text: string): readonly Mutation[] {
  const { left, right, operator } = node;
  const replacement = operators[String(operator)];
  if (!isNode(left) || !isNode(right) || replacement === undefined) return [];
  // Texts have no difference.
  if (operator === '+' && (isText(left) || isText(right))) return [];
  const start = text.indexOf(String(operator), left.end);
  return start < 0 || start >= right.start
    ? []
    : [{ start, end: start + String(operator).length, replacement }];
}

function isText({ type, value }: SyntaxNode): boolean {
  return type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string');
}

function negated(test: unknown, text: string): readonly Mutation[] {
  if (!isNode(test)) return [];
  const { start, end } = test;
  return [{ start, end, replacement: `!(${text.slice(start, end)})` }];
}

/** Returns the other truth value; a number is mostly a limit or a pace, and the next one is as good. */
function otherLiteral({ start, end, value }: SyntaxNode): readonly Mutation[] {
  return typeof value === 'boolean' ? [{ start, end, replacement: String(!value) }] : [];
}

/** Returns whether an expression is a call, awaited or not, other than of the parent class. */
function isCall(expression: unknown): boolean {
  if (!isNode(expression)) return false;
  const called = expression.type === 'AwaitExpression' ? expression['argument'] : expression;
  if (!isNode(called) || called.type !== 'CallExpression') return false;
  return !isNode(called['callee']) || called['callee'].type !== 'Super';
}

export function mutated(text: string, { start, end, replacement }: Mutation): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** Returns the line of a mutation, counted from 1, as it is and as it becomes. */
export function describeMutation(text: string, mutation: Mutation) {
  const { start, end, replacement } = mutation;
  const before = text.slice(0, start);
  const from = before.lastIndexOf('\n') + 1;
  const lineEnd = text.indexOf('\n', end);
  const line = text.slice(from, lineEnd < 0 ? undefined : lineEnd);
  return {
    line: before.split('\n').length,
    was: line.trim(),
    became: (text.slice(from, start) + replacement + line.slice(end - from)).trim(),
  };
}

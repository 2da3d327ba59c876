import { type OperationName, operations } from '../../contract/routes.ts';
import { invalidField } from '../refusal.ts';

/** Content type of responses that are serialised before they reach the router. */
export const jsonContentType = 'application/json; charset=utf-8';

/**
 * Returns the method and URL pattern of an operation for the router. `:path` becomes a wildcard,
 * which matches plain and encoded slashes (`%2F`) and is decoded once.
 */
export function operationRoute(operation: OperationName) {
  const { method, path } = operations[operation];
  return { method, url: path.replace(':path', '*') };
}

/** Parameters as the router parses them; a repeated one is a list. */
export type Query = Readonly<Record<string, string | string[] | undefined>>;

/** Returns the value of a parameter. Throws a 422 when it is repeated. */
export function readText(query: Query, name: string): string | undefined {
  const value = query[name];
  if (Array.isArray(value)) throw invalidField(name, 'one value');
  return value;
}

/** Returns a whole number in a range. Throws a 422 for any other value. */
export function readWholeNumber(
  query: Query,
  name: string,
  [from, to]: readonly [number, number],
): number | undefined {
  const text = readText(query, name);
  if (text === undefined) return undefined;
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= from && number <= to))
    throw invalidField(name, `a whole number, ${from} to ${to}`);
  return number;
}

/** Returns one of some words. Throws a 422 for any other value. */
export function readWord<Word extends string>(
  query: Query,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const text = readText(query, name);
  if (text === undefined) return undefined;
  const word = words.find((one) => one === text);
  if (word === undefined) throw invalidField(name, `one of ${words.join(', ')}`);
  return word;
}

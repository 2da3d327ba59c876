/** The terms at the start of a query: `level:warn`, `service:api`, `status>=500`. */
import { levelOf, lineLevel } from '../level.ts';
import { type LineLevel, lineLevels } from '../levels/level-words.ts';
import { fieldTerm, fieldTermForm } from './field-term.ts';
import type { Prefilter } from './prefilter.ts';

/** A condition of a line. */
export type Criterion = (text: string, service: string | undefined) => boolean;

/** Matches a named term and the space after it. */
const namedTerm = /^(!?)(level|service):(\S*)(?:\s|$)/;

export type ReadTerms =
  | {
      readonly ok: true;
      readonly terms: readonly Criterion[];
      /** The query behind the terms. */
      readonly rest: string;
      /** A prefilter that every line must pass; undefined without one. */
      readonly prefilter: Prefilter | undefined;
    }
  | { readonly ok: false; readonly unknownLevel: string };

/**
 * Reads the terms of a query. A field term is none in an expression, which may look like one; behind
 * a backslash it is text.
 */
export function readTerms(text: string, isExpression: boolean): ReadTerms {
  const terms: Criterion[] = [];
  let prefilter: Prefilter | undefined;
  let rest = text;
  for (;;) {
    const named = namedTerm.exec(rest);
    const field = named === null && !isExpression ? fieldTermForm.exec(rest) : null;
    if (named !== null) {
      const [whole, negation, name, value = ''] = named;
      const term = name === 'level' ? levelTerm(value) : serviceTerm(value);
      if (term === undefined) return { ok: false, unknownLevel: value };
      if (value !== '') terms.push(negation === '' ? term : (...line) => !term(...line));
      rest = rest.slice(whole.length);
    } else if (field !== null) {
      const [whole, negation, key = '', operator = '', value = ''] = field;
      const term = fieldTerm(key, operator, value);
      terms.push(negation === '' ? term.holds : (line) => !term.holds(line));
      if (negation === '') prefilter ??= term.prefilter;
      rest = rest.slice(whole.length);
    } else break;
  }
  const isEscaped = !isExpression && rest.startsWith('\\') && fieldTermForm.test(rest.slice(1));
  return { ok: true, terms, rest: isEscaped ? rest.slice(1) : rest, prefilter };
}

/** Returns the term at the start of a query, with its inversion and the space behind it. */
export function leadingTerm(text: string): string | undefined {
  return (namedTerm.exec(text) ?? fieldTermForm.exec(text))?.[0];
}

/** Words of the levels, the commonest of an initial first. */
const levelNames: readonly (readonly [word: string, level: LineLevel])[] = [
  ['error', 'error'],
  ['warning', 'warn'],
  ['fatal', 'fatal'],
  ['information', 'info'],
  ['debug', 'debug'],
];

/** Returns the criterion of lines at a level or above; undefined for an unknown one. */
function levelTerm(value: string): Criterion | undefined {
  const lowerCase = value.toLowerCase();
  const wanted = levelNames.find(([word]) => word.startsWith(lowerCase))?.[1];
  if (wanted === undefined) return undefined;
  // Most lines are neither, which is cheaper to tell.
  if (wanted === 'error') return (text) => levelOf(text) === 'error';
  if (wanted === 'warn') return (text) => levelOf(text) !== undefined;
  const last = lineLevels.indexOf(wanted);
  return (text) => {
    const level = lineLevel(text);
    return level !== undefined && lineLevels.indexOf(level) <= last;
  };
}

function serviceTerm(value: string): Criterion {
  const start = value.toLowerCase();
  return (_, service) => service?.toLowerCase().startsWith(start) === true;
}

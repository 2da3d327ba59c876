/** The terms at the start of a query: `level:warn`, `service:api`, `deployment:shop`, `status>=500`. */
import { levelOf, lineLevel } from '../level.ts';
import { type LineLevel, lineLevels } from '../levels/level-words.ts';
import { fieldTerm, fieldTermForm } from './field-term.ts';
import type { Prefilter } from './prefilter.ts';

/** The names of the deployment that wrote a line, and its id; undefined when nobody knows it. */
export type DeploymentNames = readonly string[] | undefined;

/** A condition of a line. */
export type Criterion = (
  text: string,
  service: string | undefined,
  deployment?: DeploymentNames,
) => boolean;

/** Matches a named term and the space after it. */
const namedTerm = /^(!?)(level|service|deployment):(\S*)(?:\s|$)/;

export type ReadTerms =
  | {
      readonly ok: true;
      readonly terms: readonly Criterion[];
      /** The query behind the terms. */
      readonly rest: string;
      /** A prefilter that every line must pass; undefined without one. */
      readonly prefilter: Prefilter | undefined;
      /** True when a term asks for the deployment of a line. */
      readonly readsDeployment: boolean;
    }
  | { readonly ok: false; readonly unknownLevel: string };

/**
 * Reads the terms of a query. A field term is none in an expression, which may look like one; behind
 * a backslash it is text.
 */
export function readTerms(text: string, isExpression: boolean): ReadTerms {
  const terms: Criterion[] = [];
  let prefilter: Prefilter | undefined;
  let readsDeployment = false;
  let rest = text;
  for (;;) {
    const named = namedTerm.exec(rest);
    const field = named === null && !isExpression ? fieldTermForm.exec(rest) : null;
    if (named !== null) {
      const [whole, negation, name, value = ''] = named;
      const term = namedCriterion(name, value);
      if (term === undefined) return { ok: false, unknownLevel: value };
      if (value !== '') terms.push(negation === '' ? term : (...line) => !term(...line));
      if (value !== '' && name === 'deployment') readsDeployment = true;
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
  return { ok: true, terms, rest: isEscaped ? rest.slice(1) : rest, prefilter, readsDeployment };
}

/** Returns the term at the start of a query, with its inversion and the space behind it. */
export function leadingTerm(text: string): string | undefined {
  return (namedTerm.exec(text) ?? fieldTermForm.exec(text))?.[0];
}

/** Returns the criterion of a named term; undefined for an unknown level. */
function namedCriterion(name: string | undefined, value: string): Criterion | undefined {
  if (name === 'level') return levelTerm(value);
  return name === 'service' ? serviceTerm(value) : deploymentTerm(value);
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

function deploymentTerm(value: string): Criterion {
  const start = value.toLowerCase();
  return (_text, _service, names) =>
    names?.some((name) => name.toLowerCase().startsWith(start)) === true;
}

/** A named term that is being typed at the end of a query. */
export interface UnfinishedTerm {
  /** The query up to the value of the term. */
  readonly head: string;
  readonly name: 'level' | 'service' | 'deployment';
  readonly value: string;
}

/** Returns the term whose value ends a query; undefined when it ends with something else. */
export function unfinishedTerm(query: string): UnfinishedTerm | undefined {
  const match = /^((?:.*\s)?!?(level|service|deployment):)(\S*)$/.exec(query);
  if (match === null) return undefined;
  const [, head = '', name, value = ''] = match;
  if (name !== 'level' && name !== 'service' && name !== 'deployment') return undefined;
  return { head, name, value };
}

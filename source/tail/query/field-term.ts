/** Terms of a query that compare a field of the line: `status>=500`, `user~ann`, `level=error`. */
import { lineLevel } from '../level.ts';
import { levelOfWord, lineLevels } from '../levels/level-words.ts';
import { fieldReader } from './line-fields.ts';
import { createPrefilter, type Prefilter } from './prefilter.ts';

type Operator = '=' | '!=' | '~' | '!~' | '<' | '<=' | '>' | '>=';

/** A field term: the test of a text, and a prefilter of the lines that pass it. */
export interface FieldTerm {
  readonly holds: (text: string) => boolean;
  readonly prefilter: Prefilter | undefined;
}

/** Matches a field term and the space after it. */
export const fieldTermForm =
  /^(!?)([A-Za-z_@](?:[\w.@-]*[\w@])?)(>=|<=|!=|!~|=|~|<|>)((?![=<>~])(?:"(?:[^"\\]|\\.)*"|\S+))(?:\s|$)/;

/** Names of the field that the level of a line answers, whatever its format. */
const levelKey = /^(?:level|lvl|severity)$/i;

/** Returns the test of a field. @param written the value, maybe in quotes. */
export function fieldTerm(key: string, operator: string, written: string): FieldTerm {
  const value = written.startsWith('"') ? unquoted(written) : written;
  const level = levelKey.test(key) ? levelOfWord(value) : undefined;
  // The pattern ensures that it is one of them.
  const compare = comparison(operator as Operator, value);
  if (level !== undefined && !operator.includes('~')) {
    const wanted = comparison(operator as Operator, String(rankOf(level)));
    return {
      holds(text) {
        const own = lineLevel(text);
        return own !== undefined && wanted(String(rankOf(own)));
      },
      prefilter: undefined,
    };
  }
  const read = fieldReader(key);
  const isWritten = operator === '=' ? writtenPair(key, value) : () => false;
  return {
    holds(text) {
      const own = read(text);
      return own === undefined ? isWritten(text) : compare(own);
    },
    prefilter: prefilterOf(key, operator, value),
  };
}

/** Returns the test whether a text without the field has the pair all the same, as in `?page=7`. */
function writtenPair(key: string, value: string): (text: string) => boolean {
  const flags = /\p{Lu}/u.test(value) ? '' : 'i';
  const start = new RegExp(escaped(value), `${flags}y`);
  const name = `${key}=`;
  return (text) => {
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
      start.lastIndex = at + name.length;
      if (start.test(text)) return true;
    }
    return false;
  };
}

/** A worse level is higher. */
function rankOf(level: (typeof lineLevels)[number]): number {
  return lineLevels.length - lineLevels.indexOf(level);
}

function unquoted(written: string): string {
  return written.slice(1, -1).replaceAll(/\\(.)/g, '$1');
}

/** Returns the test of a value. Text ignores case unless the wanted value has an upper-case letter. */
function comparison(operator: Operator, wanted: string): (value: string) => boolean {
  const hasCase = /\p{Lu}/u.test(wanted);
  const fold = (text: string): string => (hasCase ? text : text.toLowerCase());
  const number = quantityOf(wanted);
  const isEqual = (value: string): boolean =>
    fold(value) === wanted || (number !== undefined && differenceFrom(number, value) === 0);
  const isContained = (value: string): boolean => fold(value).includes(wanted);
  const ordered =
    (test: (difference: number) => boolean) =>
    (value: string): boolean => {
      const difference =
        number === undefined ? fold(value).localeCompare(wanted) : differenceFrom(number, value);
      return difference !== undefined && test(difference);
    };
  switch (operator) {
    case '=':
      return isEqual;
    case '!=':
      return (value) => !isEqual(value);
    case '~':
      return isContained;
    case '!~':
      return (value) => !isContained(value);
    case '<':
      return ordered((difference) => difference < 0);
    case '<=':
      return ordered((difference) => difference <= 0);
    case '>':
      return ordered((difference) => difference > 0);
    case '>=':
      return ordered((difference) => difference >= 0);
  }
}

/** A number with its unit; times are in milliseconds. */
interface Quantity {
  readonly number: number;
  readonly unit: string;
}

const milliseconds: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

function quantityOf(text: string): Quantity | undefined {
  const [, number, unit = ''] = /^(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s?([a-zµ%]*)$/i.exec(text) ?? [];
  if (number === undefined) return undefined;
  const scale = milliseconds[unit];
  return scale === undefined
    ? { number: Number(number), unit: unit.toLowerCase() }
    : { number: Number(number) * scale, unit: 'ms' };
}

/** Returns how much a value exceeds a quantity; undefined where they can't be compared. */
function differenceFrom(wanted: Quantity, value: string): number | undefined {
  const own = quantityOf(value);
  if (own === undefined) return undefined;
  if (own.unit === wanted.unit) return own.number - wanted.number;
  // A number without a unit is taken as it is written.
  if (wanted.unit === '') return Number.parseFloat(value) - wanted.number;
  return undefined;
}

/** Returns a prefilter by the value where it must stand in the line as it is, else by the key. */
function prefilterOf(key: string, operator: string, value: string): Prefilter | undefined {
  const leaf = key.slice(key.lastIndexOf('.') + 1);
  const isPlainValue = /^[A-Za-z][A-Za-z_-]*$/.test(value);
  const isWritten = (operator === '=' || operator === '~') && isPlainValue;
  if (!isWritten || value.length < leaf.length) return createPrefilter(escaped(leaf), '');
  return createPrefilter(escaped(value), /\p{Lu}/u.test(value) ? '' : 'i');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

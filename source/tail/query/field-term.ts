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
function comparison(operator: Operator, written: string): (value: string) => boolean {
  // The same text may be composed in several ways (UAX #15).
  const wanted = written.normalize();
  const hasCase = /\p{Lu}/u.test(wanted);
  const fold = (text: string): string => (hasCase ? text : text.toLowerCase()).normalize();
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

/** A decimal number, exactly: `digits` times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** A number with its unit; times are in milliseconds. */
interface Quantity extends Decimal {
  readonly unit: string;
  /** The number as it is written, before its unit. */
  readonly written: Decimal;
}

/** Milliseconds in a unit of time. */
const milliseconds: Readonly<Record<string, Decimal>> = {
  ns: { digits: 1n, exponent: -6 },
  us: { digits: 1n, exponent: -3 },
  µs: { digits: 1n, exponent: -3 },
  ms: { digits: 1n, exponent: 0 },
  s: { digits: 1n, exponent: 3 },
  m: { digits: 60_000n, exponent: 0 },
  h: { digits: 3_600_000n, exponent: 0 },
};

/** A number of more digits, in itself or its exponent, is text: nobody compares it. */
const quantityForm = /^(-?)(\d{1,100})(?:\.(\d{1,100}))?(?:e([+-]?\d{1,4}))?\s?([a-zµ%]*)$/i;

function quantityOf(text: string): Quantity | undefined {
  const parts = quantityForm.exec(text);
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = '', power = '0', unit = ''] = parts;
  const digits = BigInt(sign + whole + fraction);
  const written = { digits, exponent: Number(power) - fraction.length };
  const scale = milliseconds[unit];
  if (scale === undefined) return { ...written, unit: unit.toLowerCase(), written };
  return {
    digits: digits * scale.digits,
    exponent: written.exponent + scale.exponent,
    unit: 'ms',
    written,
  };
}

/** Returns whether a value is above (1), below (-1) or equal to a quantity; undefined for another unit. */
function differenceFrom(wanted: Quantity, value: string): number | undefined {
  const own = quantityOf(value);
  if (own?.unit === wanted.unit) return order(own, wanted);
  // A number without a unit is taken as it is written.
  return own !== undefined && wanted.unit === '' ? order(own.written, wanted) : undefined;
}

function order(left: Decimal, right: Decimal): number {
  const least = Math.min(left.exponent, right.exponent);
  const digitsOf = ({ digits, exponent }: Decimal): bigint =>
    digits * 10n ** BigInt(exponent - least);
  const [first, second] = [digitsOf(left), digitsOf(right)];
  return first < second ? -1 : Number(first > second);
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

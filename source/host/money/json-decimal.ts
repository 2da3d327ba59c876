import { exceedsDouble } from '../../contract/amount.ts';
import { type Atoms, formatDecimal } from '../../contract/decimal.ts';

/** What `JSON.stringify` writes as a number of these very digits (ECMAScript, JSON.rawJSON). */
export interface JsonDecimal {
  readonly rawJSON: string;
}

/**
 * An amount as a JSON number with all of its digits. Where these could be a double's own text, whose
 * last digits nobody trusts, a zero at the end tells that they are meant.
 */
export function jsonDecimal(amount: Atoms): JsonDecimal {
  const digits = formatDecimal(amount);
  const isDoubtful = exceedsDouble(digits) && String(Number(digits)) === digits;
  const zero = digits.includes('.') ? '0' : '.0';
  return rawJson(isDoubtful ? `${digits}${zero}` : digits);
}

function rawJson(text: string): JsonDecimal {
  return (JSON as typeof JSON & { rawJSON(text: string): JsonDecimal }).rawJSON(text);
}

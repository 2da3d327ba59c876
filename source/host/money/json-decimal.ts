import { exceedsDouble } from '../../contract/amount.ts';
import { type Atoms, formatDecimal } from '../../contract/decimal.ts';

/** A number that `JSON.stringify` writes with exact digits (ECMAScript, JSON.rawJSON). */
export interface JsonDecimal {
  readonly rawJSON: string;
}

/**
 * Converts an amount to a JSON number with all of its digits. A trailing zero marks digits as exact
 * when they exceed a double's precision but equal the text of one, which readers treat as rounded.
 */
export function toJsonDecimal(amount: Atoms): JsonDecimal {
  const digits = formatDecimal(amount);
  const isAmbiguous = exceedsDouble(digits) && String(Number(digits)) === digits;
  const zero = digits.includes('.') ? '0' : '.0';
  return rawJson(isAmbiguous ? `${digits}${zero}` : digits);
}

function rawJson(text: string): JsonDecimal {
  return (JSON as typeof JSON & { rawJSON(text: string): JsonDecimal }).rawJSON(text);
}

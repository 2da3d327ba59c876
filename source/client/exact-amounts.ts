import { exceedsDouble } from '../contract/amount.ts';

/** A number in JSON with more digits than a double carries; some texts look like one too. */
const maybeLong = /[:\s,[]-?\d[\d.]{15}/;

const amountFields: ReadonlySet<string> = new Set(['limit', 'spent']);

/**
 * The JSON of an answer with the amounts as text where parsing has rounded them. Reading it so is
 * several times slower, so only for an answer in which a number may be that long.
 * @param text what `json` was parsed from.
 */
export function exactAmounts(json: unknown, text: string): unknown {
  if (!maybeLong.test(text)) return json;
  try {
    return JSON.parse(text, exactAmount);
  } catch {
    // Nested deeper than a reviver can follow.
    return json;
  }
}

/**
 * A double's own text is left to be a number: the last digits of it are noise more often than
 * money. A service that means them ends its number with a zero.
 */
function exactAmount(key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || !amountFields.has(key)) return value;
  const digits = context?.source ?? '';
  const isOwnText = digits === String(value);
  return !isOwnText && /^-?\d+(\.\d+)?$/.test(digits) && exceedsDouble(digits) ? digits : value;
}

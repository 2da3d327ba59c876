import { exceedsDouble } from '../../contract/amount.ts';

/**
 * An amount that a double may round, of 16 digits or more, and the name before it; longer ones
 * than this nobody counts in. It matches in no text of a JSON: there a quote behind the name would
 * have a backslash before it.
 */
const longAmount = /("(?:limit|spent)"\s*:\s*)(-?(?=[\d.]{16})\d{1,30}(?:\.\d{1,30})?)(?=\s*[,}])/g;

/**
 * The JSON of an answer with the amounts as text where parsing has rounded them.
 * @param text what `json` was parsed from.
 */
export function exactAmounts(json: unknown, text: string): unknown {
  const exact = text.replaceAll(longAmount, (whole, name: string, digits: string) =>
    isMeant(digits) ? `${name}"${digits}"` : whole,
  );
  return exact === text ? json : JSON.parse(exact);
}

/**
 * A double's own text is left to be a number: the last digits of it are noise more often than
 * money. A service that means them ends its number with a zero.
 */
function isMeant(digits: string): boolean {
  return exceedsDouble(digits) && String(Number(digits)) !== digits;
}

/** Restores the digits of grant amounts that JSON.parse rounded. */
import { exceedsDouble } from '../../contract/amount.ts';

/**
 * Matches an amount of 16 to 60 digits, which a double may round, with its field name. It matches
 * nothing inside a JSON string, where a backslash precedes the quote after the name.
 */
const longAmount = /("(?:limit|spent)"\s*:\s*)(-?(?=[\d.]{16})\d{1,30}(?:\.\d{1,30})?)(?=\s*[,}])/g;

/**
 * Returns the JSON of an answer with rounded amounts replaced by their digits as strings.
 * @param text source text of `json`.
 */
export function restoreExactAmounts(json: unknown, text: string): unknown {
  const exact = text.replaceAll(longAmount, (whole, name: string, digits: string) =>
    isIntended(digits) ? `${name}"${digits}"` : whole,
  );
  return exact === text ? json : JSON.parse(exact);
}

/**
 * Returns true when all digits are meant as money. The shortest text of a double is not: its last
 * digits are usually float noise. A service that means them appends a zero.
 */
function isIntended(digits: string): boolean {
  return exceedsDouble(digits) && String(Number(digits)) !== digits;
}

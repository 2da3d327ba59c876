/** What a person typed for an amount: digits for JSON, or what is wrong with it. */
export type ReadAmount =
  | { readonly ok: true; readonly digits: string }
  | { readonly ok: false; readonly problem: string };

/** Services count no finer, ours among them. */
const mostDecimals = 18;
const mostWhole = 18;

const wrong = (problem: string): ReadAmount => ({ ok: false, problem });

/**
 * Reads an amount above 0 as it was typed, digit by digit: it is never a double, which could be more
 * than what stands there. Leading zeros go, a point gets digits on both its sides.
 */
export function readAmount(typed: string): ReadAmount {
  const text = typed.trim();
  if (text === '') return wrong('The most that may be spent, like 50 or 0.5.');
  if (text.startsWith('-')) return wrong('It has to be above 0.');
  if (text.includes(',')) return wrong(commaProblem(text));
  if (/^[\d.]+e[+-]?\d+$/i.test(text)) return wrong('Write it out in digits, like 0.000001.');
  const match = /^(\d*)(?:\.(\d*))?$/.exec(text);
  if (match === null) return wrong('Digits and a point only; the service names no currency.');
  const [, typedWhole = '', decimals = ''] = match;
  if (typedWhole === '' && decimals === '') return wrong('Digits are missing.');
  const whole = typedWhole.replace(/^0+(?=\d)/, '') || '0';
  if (whole.length > mostWhole) return wrong(`At most ${mostWhole} digits before the point.`);
  if (decimals.length > mostDecimals) {
    return wrong(`At most ${mostDecimals} decimals; these are ${decimals.length}.`);
  }
  if (/^0*$/.test(whole + decimals)) return wrong('It has to be above 0.');
  return { ok: true, digits: decimals === '' ? whole : `${whole}.${decimals}` };
}

/** A comma parts thousands for one person and decimals for the other: it is never guessed. */
function commaProblem(text: string): string {
  const point = text.replace(',', '.');
  return /^\d+,\d+$/.test(text)
    ? `Decimals stand behind a point: ${point}. Thousands are not parted.`
    : 'A point before decimals, and nothing between thousands.';
}

/** Exact decimal text of amounts that arrive as doubles. */

/** Decimal digits that every double represents exactly (DBL_DIG of IEEE 754 binary64). */
const exactDigits = 15;

/** Largest accepted exponent. Doubles have no larger one, and the result would be as long. */
const maxExponent = 400;

/**
 * Returns a JSON number in its shortest form without an exponent: `12.50` becomes `12.5`, `1e-7`
 * becomes `0.0000001`. Returns undefined for other texts.
 */
export function normaliseDecimal(text: string): string | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > maxExponent) return undefined;
  const point = whole.length + exponent;
  const digits = (whole + fraction).padEnd(Math.max(0, point), '0');
  const before = point > 0 ? digits.slice(0, point) : '';
  const after = point > 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
  const shortWhole = before.replace(/^0+/, '') || '0';
  const shortFraction = after.replace(/0+$/, '');
  const plain = shortFraction === '' ? shortWhole : `${shortWhole}.${shortFraction}`;
  return plain === '0' ? plain : sign + plain;
}

/** Returns the plain decimal of a double without float noise: 0.1 + 0.2 is `0.3`. */
export function formatAmountDigits(amount: number): string {
  return normaliseDecimal(String(Number(amount.toPrecision(exactDigits)))) ?? String(amount);
}

/** Returns true when a JSON number has more digits than a double represents exactly. */
export function exceedsDouble(text: string): boolean {
  return text.replace(/e.*$/i, '').replaceAll(/\D/g, '').replace(/^0+/, '').length > exactDigits;
}

/** Returns true when the plain decimal `left` is at least `right`. */
export function isAtLeast(left: string, right: string): boolean {
  const isNegative = left.startsWith('-');
  if (isNegative !== right.startsWith('-')) return !isNegative;
  return isNegative
    ? isMagnitudeAtLeast(right.slice(1), left.slice(1))
    : isMagnitudeAtLeast(left, right);
}

/** Compares decimals without a sign: first the whole parts by length, then digits as text. */
function isMagnitudeAtLeast(left: string, right: string): boolean {
  const [leftWhole = '', leftFraction = ''] = left.split('.');
  const [rightWhole = '', rightFraction = ''] = right.split('.');
  if (leftWhole.length !== rightWhole.length) return leftWhole.length > rightWhole.length;
  if (leftWhole !== rightWhole) return leftWhole > rightWhole;
  return leftFraction >= rightFraction;
}

/** Digits that a double carries truly (IEEE 754 binary64: DBL_DIG); the rest is noise. */
const sureDigits = 15;

/** Doubles have no larger exponents; a text with one would be as long. */
const largestExponent = 400;

/**
 * A decimal as JSON writes numbers, in its shortest plain form: `12.50` is `12.5`, `1e-7` is
 * `0.0000001`. Undefined for what is no decimal.
 */
export function plainDecimal(text: string): string | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > largestExponent) return undefined;
  const point = whole.length + exponent;
  const digits = (whole + fraction).padEnd(Math.max(0, point), '0');
  const before = point > 0 ? digits.slice(0, point) : '';
  const behind = point > 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
  const shortWhole = before.replace(/^0+/, '') || '0';
  const shortFraction = behind.replace(/0+$/, '');
  const plain = shortFraction === '' ? shortWhole : `${shortWhole}.${shortFraction}`;
  return plain === '0' ? plain : sign + plain;
}

/** The plain decimal that a double stands for, without the noise of its form: 0.1 + 0.2 is `0.3`. */
export function amountDigits(amount: number): string {
  return plainDecimal(String(Number(amount.toPrecision(sureDigits)))) ?? String(amount);
}

/** Whether a JSON number has more digits than a double is sure to carry. */
export function exceedsDouble(text: string): boolean {
  return text.replace(/e.*$/i, '').replaceAll(/\D/g, '').replace(/^0+/, '').length > sureDigits;
}

/** Whether one plain decimal is at least another. */
export function isAtLeast(left: string, right: string): boolean {
  const isNegative = left.startsWith('-');
  if (isNegative !== right.startsWith('-')) return !isNegative;
  return isNegative ? isLarger(right.slice(1), left.slice(1)) : isLarger(left, right);
}

/** Larger or the same: shorter whole parts are smaller, and fractions compare as text. */
function isLarger(left: string, right: string): boolean {
  const [leftWhole = '', leftFraction = ''] = left.split('.');
  const [rightWhole = '', rightFraction = ''] = right.split('.');
  if (leftWhole.length !== rightWhole.length) return leftWhole.length > rightWhole.length;
  if (leftWhole !== rightWhole) return leftWhole > rightWhole;
  return leftFraction >= rightFraction;
}

/**
 * An amount of money, counted in units of 10^-18. An integer, so that sums are exact; a price of
 * micro-units with up to twelve decimals still is one.
 */
export type Atoms = bigint;

const digits = 18;
const one = 10n ** BigInt(digits);

/** Exponents beyond this are refused before a power of ten of that size is built. */
const largestExponent = 300;

/**
 * Reads a decimal as JSON and YAML write it (`12`, `0.5`, `1e-6`).
 * Undefined when it is no decimal or finer than 10^-18, which would have to be rounded.
 */
export function parseDecimal(text: string): Atoms | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text.trim());
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  if (whole === '' && fraction === '') return undefined;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > largestExponent) return undefined;
  const shift = digits + exponent - fraction.length;
  const mantissa = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  if (shift >= 0) return mantissa * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return mantissa % divisor === 0n ? mantissa / divisor : undefined;
}

/** The shortest plain decimal of an amount: `0.5`, `-3`, `1000`. */
export function formatDecimal(amount: Atoms): string {
  const absolute = amount < 0n ? -amount : amount;
  const fraction = (absolute % one).toString().padStart(digits, '0').replace(/0+$/, '');
  const text = (absolute / one).toString() + (fraction === '' ? '' : `.${fraction}`);
  return amount < 0n ? `-${text}` : text;
}

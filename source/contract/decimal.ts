/**
 * An amount of money in units of 10^-18. Integers keep sums exact, and prices in micro-units with up
 * to twelve decimals are still integers.
 */
export type Atoms = bigint;

const digits = 18;
const one = 10n ** BigInt(digits);

/** Largest accepted exponent, which bounds the size of the powers of ten. */
const maxExponent = 300;

/**
 * Parses a decimal of JSON or YAML (`12`, `0.5`, `1e-6`). Returns undefined for other texts and for
 * decimals finer than 10^-18, which would need rounding.
 */
export function parseDecimal(text: string): Atoms | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text.trim());
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  if (whole === '' && fraction === '') return undefined;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > maxExponent) return undefined;
  const shift = digits + exponent - fraction.length;
  const mantissa = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  if (shift >= 0) return mantissa * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return mantissa % divisor === 0n ? mantissa / divisor : undefined;
}

/** Returns the shortest plain decimal of an amount: `0.5`, `-3`, `1000`. */
export function formatDecimal(amount: Atoms): string {
  const absolute = amount < 0n ? -amount : amount;
  const fraction = (absolute % one).toString().padStart(digits, '0').replace(/0+$/, '');
  const text = (absolute / one).toString() + (fraction === '' ? '' : `.${fraction}`);
  return amount < 0n ? `-${text}` : text;
}

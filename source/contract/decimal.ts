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
  return parseScaled(text, digits);
}

/** A decimal in units of 10^-`scale`, undefined when it is none or finer than that. */
function parseScaled(text: string, scale: number): bigint | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text.trim());
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  if (whole === '' && fraction === '') return undefined;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > largestExponent) return undefined;
  const shift = scale + exponent - fraction.length;
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

/** A double shows a decimal of this many digits unchanged (IEEE 754 binary64: DBL_DIG). */
const sureDigits = 15;

/** Fine enough for the shortest text of any double that an amount rounds to. */
const fineScale = 60;

/**
 * An amount of 0 or more as a JSON number: the nearest one whose text is not above it, so that
 * money spent never reads as a limit that is not reached yet.
 */
export function toJsonNumber(amount: Atoms): number {
  const text = formatDecimal(amount);
  const nearest = Number(text);
  const shown = parseScaled(String(nearest), fineScale) ?? 0n;
  if (shown <= amount * 10n ** BigInt(fineScale - digits)) return nearest;
  let kept = 0;
  const truncated = text.replaceAll(/\d/g, (digit) => {
    if (kept > 0 || digit !== '0') kept += 1;
    return kept > sureDigits ? '0' : digit;
  });
  return Number(truncated);
}

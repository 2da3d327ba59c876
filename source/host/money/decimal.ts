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

/**
 * An amount as a JSON number: the nearest double that is not above it, so that money spent never
 * reads as a limit that is not reached yet.
 */
export function toJsonNumber(amount: Atoms): number {
  const nearest = Number(formatDecimal(amount));
  return exactly(nearest) > amount ? below(nearest) : nearest;
}

/** A double as an exact amount, rounded up below 10^-18. */
function exactly(value: number): Atoms {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponentBits = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = exponentBits === 0 ? fraction : fraction | 0x10000000000000n;
  const scaled = mantissa * one * (value < 0 ? -1n : 1n);
  const exponent = BigInt(Math.max(exponentBits, 1) - 1075);
  if (exponent >= 0n) return scaled << exponent;
  const floor = scaled >> -exponent;
  return floor << -exponent === scaled ? floor : floor + 1n;
}

/** The next double below; never called with 0 or less than the smallest amount. */
function below(value: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 ? -1n : 1n));
  return view.getFloat64(0);
}

/** Reads fields of untrusted JSON. */

export type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of a JSON object; undefined for any other value. */
export function fieldsOf(value: unknown): Fields | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Fields) : undefined;
}

export function textField(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function numberField(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Returns a whole number of at least 0. */
export function wholeField(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

export function isOneOf<const T extends string>(all: readonly T[], value: unknown): value is T {
  return all.some((one) => one === value);
}

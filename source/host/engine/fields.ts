/** Readers of untrusted JSON from an engine. */

/** Returns the fields of a JSON object; none for any other value. */
export function objectFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Returns the fields of a JSON object that have a string value. */
export function stringFields(value: unknown): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const [key, text] of Object.entries(objectFields(value))) {
    if (typeof text === 'string') fields[key] = text;
  }
  return fields;
}

/** Returns the items of a JSON array; none for any other value. */
export function arrayItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

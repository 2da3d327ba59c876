/** Parses an ISO time to ms since the epoch; undefined when it is missing or invalid. */
export function parseInstant(text: string | undefined): number | undefined {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? undefined : at;
}

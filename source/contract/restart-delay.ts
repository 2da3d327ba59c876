/** The delay from the last change of a file to the automatic restart (contract, part 8), as text. */

/** Delay of the contract in milliseconds, where nobody chose another. */
export const defaultRestartDelay = 5000;

/** Seconds in a day; a longer delay is better served by `off`. */
const longest = 86_400;

export const delayRange = `off, or seconds from 0 to ${longest}`;

/** Parses `SECONDS` or `off`; undefined for anything else. Returns milliseconds, or `off`. */
export function parseRestartDelay(text: string): number | 'off' | undefined {
  return text === 'off' ? 'off' : parseSeconds(text);
}

/** Parses seconds up to a day; undefined for anything else. Returns milliseconds. */
export function parseSeconds(text: string): number | undefined {
  const seconds = Number(text);
  return /^\d+(\.\d+)?$/.test(text) && seconds <= longest ? Math.round(seconds * 1000) : undefined;
}

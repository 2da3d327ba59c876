/** The seconds in which the run after a restart is watched, as text. */
import { parseSeconds } from './restart-delay.ts';

/** Seconds where nobody chose another number. */
export const defaultProofSeconds = 30;

/** Longest proof in seconds; a longer one would keep many lines. */
const longestProof = 600;

export const proofRange = `off, or seconds from 0 to ${longestProof} (0 is off)`;

/** Parses `SECONDS` or `off`; undefined for anything else. Returns whole seconds, 0 for `off`. */
export function parseProofSeconds(text: string): number | undefined {
  if (text === 'off') return 0;
  const milliseconds = parseSeconds(text);
  const seconds = milliseconds === undefined ? undefined : Math.ceil(milliseconds / 1000);
  return seconds === undefined || seconds > longestProof ? undefined : seconds;
}

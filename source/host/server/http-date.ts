import type { HostClock } from '../clock.ts';

let second = Number.NaN;
let text = '';

/** The clock's time as a Date header has it (RFC 9110, section 5.6.7: IMF-fixdate). */
export function httpDate(clock: HostClock): string {
  const now = Math.floor(clock.now() / 1000);
  // It is written into every answer, and is the same for a whole second.
  if (now !== second) {
    second = now;
    text = new Date(now * 1000).toUTCString();
  }
  return text;
}

import type { HostClock } from '../clock.ts';

let cachedSecond = Number.NaN;
let cachedText = '';

/** Returns the clock's time in the format of a Date header (RFC 9110, section 5.6.7). */
export function formatHttpDate(clock: HostClock): string {
  const now = Math.floor(clock.now() / 1000);
  // Cache the text for one second, since every response contains it.
  if (now !== cachedSecond) {
    cachedSecond = now;
    cachedText = new Date(now * 1000).toUTCString();
  }
  return cachedText;
}

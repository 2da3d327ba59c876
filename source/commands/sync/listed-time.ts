/** Milliseconds by which a listed time may precede the write: clocks are told in whole seconds. */
const tolerance = 5000;

/**
 * Returns the time that a list tells after a write, if it follows the writes: some services list the
 * time of their start.
 * @param startedAt start of the write by the clock of the service, ms since the epoch.
 */
export function listedTime(listed: string | undefined, startedAt: number): string | undefined {
  return Date.parse(listed ?? '') >= startedAt - tolerance ? listed : undefined;
}

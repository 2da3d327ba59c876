const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;

const mostDays = 3650;

/** The durations that {@link parseDuration} accepts, for messages. */
export const durationForms = `0, or days, hours, minutes or seconds up to ${mostDays}d: 7d, 12h, 30m`;

/**
 * Parses a duration: a number with a unit, or 0. A number without a unit is refused, since days could
 * be meant or seconds. Returns milliseconds; undefined for anything else.
 */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)([dhms])$/.exec(text) ?? [];
  if (number === '') return undefined;
  const ms = Math.round(Number(number) * unitMs[unit as keyof typeof unitMs]);
  return ms <= mostDays * unitMs.d ? ms : undefined;
}

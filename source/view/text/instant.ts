import { dateTimeText } from '../../store/log/times.ts';

/** Formats a timestamp in full, in UTC and in local time; undefined when it is invalid. */
export function instantTexts(
  timestamp: string,
): { readonly utc: string; readonly local: string } | undefined {
  const at = Date.parse(timestamp);
  if (Number.isNaN(at)) return undefined;
  const [day, time, zone] = dateTimeText(at, false).split(/T|(?=[+-]\d\d:)/);
  return { utc: dateTimeText(at, true), local: `${day} ${time} ${zone}` };
}

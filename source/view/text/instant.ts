import { dateTimeText } from '../../store/log/times.ts';

/** An instant in full, of the world and of this machine's clock; undefined where none can be read. */
export function instantTexts(
  timestamp: string,
): { readonly utc: string; readonly local: string } | undefined {
  const at = Date.parse(timestamp);
  if (Number.isNaN(at)) return undefined;
  const [day, time, zone] = dateTimeText(at, false).split(/T|(?=[+-]\d\d:)/);
  return { utc: dateTimeText(at, true), local: `${day} ${time} ${zone}` };
}

import { wholeTimeText } from '../../store/log/times.ts';

/** An instant in full, of the world and of this machine's clock; undefined where none can be read. */
export function instantTexts(
  timestamp: string,
): { readonly utc: string; readonly local: string } | undefined {
  const at = Date.parse(timestamp);
  if (Number.isNaN(at)) return undefined;
  const [day, time, zone] = wholeTimeText(at, false).split(/T|(?=[+-]\d\d:)/);
  return { utc: wholeTimeText(at, true), local: `${day} ${time} ${zone}` };
}

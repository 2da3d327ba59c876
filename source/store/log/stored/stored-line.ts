/** A line as it is stored to be found again in a log that was reloaded. */
import type { LogLine } from '../../../contract/logs.ts';
import type { Entries, Entry } from '../../../tail/arena/entries.ts';
import { indexOfTime } from '../../../tail/arena/time-search.ts';

/** Returns an own property of stored data; undefined where there is none. */
export function ownProperty(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

export interface KeptLine {
  /** The id in digits. */
  readonly id?: string | undefined;
  readonly at?: string | undefined;
  readonly service?: string | undefined;
  readonly deployment?: string | undefined;
  /** The start of the text. */
  readonly text: string;
}

/** Characters of a text that are stored. */
const storedLength = 400;

export function keptLine(line: LogLine): KeptLine {
  return {
    ...(line.id === undefined ? {} : { id: String(line.id) }),
    ...(line.timestamp === undefined ? {} : { at: line.timestamp }),
    ...(line.serviceName === undefined ? {} : { service: line.serviceName }),
    ...(line.deploymentId === undefined ? {} : { deployment: line.deploymentId }),
    text: line.logLine.slice(0, storedLength),
  };
}

/** Parses a stored line; undefined for anything else. */
export function readKeptLine(stored: unknown): KeptLine | undefined {
  const text = ownProperty(stored, 'text');
  if (typeof text !== 'string') return undefined;
  const textOf = (key: string): string | undefined => {
    const value = ownProperty(stored, key);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    id: textOf('id'),
    at: textOf('at'),
    service: textOf('service'),
    deployment: textOf('deployment'),
    text: text.slice(0, storedLength),
  };
}

/** Returns the time of a stored line, ms since the epoch; undefined without one. */
export function timeOfStored({ at }: KeptLine): number | undefined {
  const time = at === undefined ? Number.NaN : Date.parse(at);
  return Number.isNaN(time) ? undefined : time;
}

/** Entries that are compared around the time of a stored line, or at the end of a log without times. */
const searched = 2000;

type LineEntry = Extract<Entry<LogLine>, { kind: 'line' }>;

/** Returns the entry of a stored line; undefined when it is not loaded. */
export function findKeptLine(entries: Entries<LogLine>, stored: KeptLine): LineEntry | undefined {
  const time = timeOfStored(stored);
  const middle = time === undefined ? entries.length : indexOfTime(entries, time);
  const from = Math.max(0, middle - (time === undefined ? searched : 50));
  return entries
    .slice(from, Math.min(entries.length, from + searched))
    .find((entry): entry is LineEntry => entry.kind === 'line' && isStored(stored, entry.line));
}

function isStored(stored: KeptLine, line: LogLine): boolean {
  if (stored.text !== line.logLine.slice(0, storedLength)) return false;
  const own = keptLine(line);
  const agrees = (key: 'id' | 'at' | 'service' | 'deployment'): boolean =>
    stored[key] === undefined || own[key] === undefined || stored[key] === own[key];
  return agrees('id') && agrees('at') && agrees('service') && agrees('deployment');
}

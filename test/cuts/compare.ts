import type { LogLine } from '../../source/contract/logs.ts';
import type { Entry } from '../../source/tail/arena/entries.ts';

/** Differences between the lines of a tail and those of the service. All 0: they are the same. */
export interface Difference {
  /** Lines of the service, from the first one shown on, that are not shown. */
  readonly lost: number;
  readonly doubled: number;
  /** Lines that stand before one they belong behind. */
  readonly disordered: number;
  /** Lines that the service does not have, or has with other words. */
  readonly strange: number;
  readonly gaps: number;
}

export interface Comparison extends Difference {
  /** Lines that were compared. */
  readonly lines: number;
  /** Place in the record of the first line shown. */
  readonly first: number;
  /** A few of the lines that differ, for finding out why. */
  readonly samples: readonly string[];
}

const mostSamples = 5;

/**
 * Compares a log with the record of its service.
 * @param record all lines of the service, oldest first.
 */
export function compareWithRecord(
  shown: readonly Entry<LogLine>[],
  record: readonly LogLine[],
  isUnique: (text: string) => boolean,
): Comparison {
  const isNumbered = record.every(({ id }) => id !== undefined);
  return isNumbered ? compareNumbered(shown, record) : compareUnnumbered(shown, record, isUnique);
}

function compareNumbered(shown: readonly Entry<LogLine>[], record: readonly LogLine[]): Comparison {
  const places = new Map(record.map((line, place) => [keyOf(line), place]));
  const seen = new Set<number>();
  const samples: string[] = [];
  const counts = { lost: 0, doubled: 0, disordered: 0, strange: 0, gaps: 0 };
  const count = (what: keyof Difference, sample: string): void => {
    counts[what] += 1;
    if (samples.length < mostSamples) samples.push(`${what}: ${sample}`);
  };
  for (const entry of shown) if (entry.kind === 'gap') count('gaps', JSON.stringify(entry.state));
  const lines = shown.flatMap((entry) => (entry.kind === 'line' ? [entry.line] : []));
  let last = -1;
  let first = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const key = keyOf(line);
    const place = places.get(key);
    if (place === undefined) {
      count('strange', key);
      continue;
    }
    if (seen.has(place)) count('doubled', key);
    else if (place < last) count('disordered', key);
    seen.add(place);
    last = Math.max(last, place);
    first = Math.min(first, place);
  }
  for (let place = first; place < record.length; place += 1) {
    if (!seen.has(place)) count('lost', `${place} ${record[place]?.logLine}`);
  }
  return { ...counts, lines: lines.length, first, samples };
}

/**
 * Compares a log without ids: the lines between two rows are to be a part of the record without a
 * change. Lines may be missing, or be there twice, at a row alone.
 */
function compareUnnumbered(
  shown: readonly Entry<LogLine>[],
  record: readonly LogLine[],
  isUnique: (text: string) => boolean,
): Comparison {
  const places = new Map(
    record.flatMap((line, place) => (isUnique(line.logLine) ? [[keyOf(line), place]] : [])),
  );
  const samples: string[] = [];
  const counts = { lost: 0, doubled: 0, disordered: 0, strange: 0, gaps: 0 };
  const count = (what: keyof Difference, lines: number, sample: string): void => {
    counts[what] += lines;
    if (samples.length < mostSamples) samples.push(`${what}: ${sample}`);
  };
  /** Place of the next line; undefined behind a row, until a line tells it. */
  let next: number | undefined;
  let first: number | undefined;
  let lines = 0;
  for (const entry of shown) {
    if (entry.kind === 'gap') {
      next = undefined;
      continue;
    }
    lines += 1;
    const key = keyOf(entry.line);
    const place = places.get(key);
    const expected = next === undefined ? undefined : record[next];
    if (place === undefined && isUnique(entry.line.logLine)) count('strange', 1, key);
    else if (place === undefined && expected !== undefined && keyOf(expected) !== key)
      count('strange', 1, `${next} ${key}`);
    else if (place !== undefined && next !== undefined && place > next)
      count('lost', place - next, `${next} before ${key}`);
    else if (place !== undefined && next !== undefined && place < next)
      count('doubled', 1, `${next} ${key}`);
    if (place !== undefined) first ??= place;
    const at = place ?? next;
    next = at === undefined ? undefined : at + 1;
  }
  if (next !== record.length) count('lost', record.length - (next ?? 0), 'the end');
  return { ...counts, lines, first: first ?? 0, samples };
}

/** Returns the text that tells a line from all others, if its text does. */
function keyOf({ id, serviceName, logLine }: LogLine): string {
  return `${id ?? ''} ${serviceName} ${logLine}`;
}

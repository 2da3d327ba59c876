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
 * @param record all lines of the service, oldest first. Lines without ids are known by their text,
 * and those whose text is not unique by the unique one before them.
 */
export function compareWithRecord(
  shown: readonly Entry<LogLine>[],
  record: readonly LogLine[],
  isUnique: (text: string) => boolean,
): Comparison {
  const places = new Map(keysOf(record, isUnique).map((key, place) => [key, place]));
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
  for (const key of keysOf(lines, isUnique)) {
    const place = places.get(key);
    if (place === undefined) {
      // The place of lines between the first one shown and the first unique one is unknown.
      if (!key.startsWith('+')) count('strange', key);
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

function keysOf(lines: readonly LogLine[], isUnique: (text: string) => boolean): readonly string[] {
  let before = '';
  return lines.map(({ id, serviceName, logLine }) => {
    if (id !== undefined) return `${id} ${serviceName} ${logLine}`;
    before = isUnique(logLine) ? `${serviceName} ${logLine}` : `${before}+`;
    return before;
  });
}

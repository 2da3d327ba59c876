/** Selects the lines of a log that are printed, with the queries of the log pane. */
import { millisecondOf, nanoseconds } from '../../contract/instant.ts';
import type { LogLine } from '../../contract/logs.ts';
import type { Guard } from '../../store/time/clock.ts';
import type { PreviousRun } from './previous-run.ts';
import { rowNanoseconds, rowTime, toRow } from '../../tail/arena/row.ts';
import { anyMatcher, invertedMatcher } from '../../tail/query/line-filters.ts';
import {
  type LineMatcher,
  parseLineQuery,
  type ParsedQuery,
  parseTextQuery,
} from '../../tail/query/log-query.ts';

/** The lines that are wanted; undefined and empty criteria accept all. */
export interface LineCriteria {
  /** Regular expressions, of which a line must match one. */
  readonly patterns: readonly string[];
  /** Whether a line must match none of the patterns instead. */
  readonly isInverted: boolean;
  /** Level that a line must have, or a worse one. */
  readonly level?: string | undefined;
  readonly services: readonly string[];
  readonly streams: readonly string[];
  /** First time and the time after the last one, ns since the epoch. */
  readonly since?: bigint | undefined;
  readonly until?: bigint | undefined;
}

export const noCriteria: LineCriteria = {
  patterns: [],
  isInverted: false,
  services: [],
  streams: [],
};

export interface LineSelector {
  /** False where every line is selected. */
  readonly hasCriteria: boolean;
  /** True where the criteria need the times of lines. */
  readonly needsTimes: boolean;
  /** The first millisecond that may have selected lines, and the one after the last, since the epoch. */
  readonly since: number | undefined;
  readonly until: number | undefined;
  /**
   * Returns whether each of some adjacent lines is selected; undefined when a pattern takes too long.
   * A line without a time has that of the line before.
   * @param before time of the line before the first one, ms since the epoch.
   */
  select(lines: readonly LogLine[], before: number | undefined): readonly boolean[] | undefined;
}

/** Milliseconds for the patterns to test some hundred lines. */
const timeLimit = 2000;

/** Returns the pattern as the search of a text parses it: no terms, and `!` is a character. */
export function parsePattern(text: string): ParsedQuery {
  return parseTextQuery({ text, regex: true });
}

/** Returns whether criteria may leave lines out. */
export function hasCriteria(criteria: LineCriteria): boolean {
  const { patterns, level, services, streams, since, until } = criteria;
  const given = [level, since, until].filter((each) => each !== undefined);
  return given.length + patterns.length + services.length + streams.length > 0;
}

/** Returns the selector of valid criteria. */
export function createLineSelector(
  criteria: LineCriteria,
  guard: Guard,
  run?: PreviousRun,
): LineSelector {
  const { services, streams, since, until } = criteria;
  const tests = textTests(criteria);
  const isCheap = tests.every((test) => test.isCheap);
  const needsTimes = since !== undefined || until !== undefined || run !== undefined;

  const isWanted = (line: LogLine, time: bigint | undefined): boolean => {
    const { logLine, serviceName, stream } = line;
    return (
      (services.length === 0 || services.includes(serviceName ?? '')) &&
      (streams.length === 0 || streams.includes(stream?.toLowerCase() ?? '')) &&
      (time === undefined || ((since ?? time) <= time && (until === undefined || time < until))) &&
      tests.every((test) => test.matches(logLine, serviceName)) &&
      run?.holds(line, time === undefined ? undefined : millisecondOf(time)) !== false
    );
  };

  const select = (lines: readonly LogLine[], before: number | undefined): readonly boolean[] => {
    let time = before === undefined ? undefined : nanoseconds(before);
    return lines.map((line) => {
      if (needsTimes) time = rowNanoseconds(toRow(line)) ?? time;
      return isWanted(line, time);
    });
  };

  return {
    hasCriteria: run !== undefined || hasCriteria(criteria),
    needsTimes,
    since: since === undefined ? undefined : millisecondOf(since),
    until: until === undefined ? undefined : millisecondOf(until + 999_999n),
    select(lines, before) {
      if (isCheap) return select(lines, before);
      const run = guard(() => select(lines, before), timeLimit);
      return run.ok ? run.value : undefined;
    },
  };
}

/** Returns the time of a line, by its timestamp or by its text, ms since the epoch. */
export function writtenTime(line: LogLine): number | undefined {
  return rowTime(toRow(line));
}

function textTests({ patterns, isInverted, level }: LineCriteria): readonly LineMatcher[] {
  const valid = (parsed: ParsedQuery): readonly LineMatcher[] => (parsed.ok ? [parsed.value] : []);
  const levels =
    level === undefined ? [] : valid(parseLineQuery({ text: `level:${level}`, regex: false }));
  const found = patterns.flatMap((pattern) => valid(parsePattern(pattern)));
  if (found.length === 0) return levels;
  const any = anyMatcher(found);
  return [...levels, isInverted ? invertedMatcher(any) : any];
}

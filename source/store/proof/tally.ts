/** Counts of lines and errors by service and time, as lines come in any order. */
import { eventStream, isEndEvent, isStartEvent } from '../../contract/event-lines.ts';
import type { LogLine } from '../../contract/logs.ts';
import { rowTime, toRow } from '../../tail/arena/row.ts';
import { levelOf } from '../../tail/level.ts';
import type { LogSample } from './sample.ts';

export interface LogTally {
  /** Counts a line. @param arrivedAt its time where it tells none, in ms by the service's clock. */
  add(line: LogLine, arrivedAt: number): void;
  /** Returns the names of the services that wrote a line. */
  services(): readonly string[];
  /**
   * Returns the counts of `seconds` from a time on, in ms by the service's clock.
   *
   * @param since time before which lines do not count.
   */
  sample(service: string, from: number, seconds: number, since?: number): LogSample;
  /** Returns the starts of a service that its log tells, ms by the service's clock. */
  starts(service: string): readonly number[];
  /** Returns the ends of its runs, as its log tells them. */
  ends(service: string): readonly number[];
  /** Returns the time of the oldest line; infinite without any. */
  oldest(): number;
}

/** Milliseconds of lines that are counted together: the length of a cell. */
const cellLength = 100;
const cellsInSecond = 1000 / cellLength;

/** Counts by cell. */
interface Counts {
  readonly lines: Map<number, number>;
  readonly errors: Map<number, number>;
  readonly starts: number[];
  readonly ends: number[];
}

/** Services that are told apart; a log may name any number. */
const mostServices = 50;

export function createLogTally(): LogTally {
  const byService = new Map<string, Counts>();
  let oldest = Number.POSITIVE_INFINITY;

  function countsOf(name: string): Counts {
    const known = byService.get(name);
    if (known !== undefined) return known;
    const fresh = { lines: new Map(), errors: new Map(), starts: [], ends: [] };
    if (byService.size < mostServices) byService.set(name, fresh);
    return fresh;
  }

  return {
    add(line, arrivedAt) {
      const time = rowTime(toRow(line)) ?? arrivedAt;
      oldest = Math.min(oldest, time);
      const { lines, errors, starts, ends } = countsOf(line.serviceName ?? '');
      if (line.stream === eventStream) {
        if (isStartEvent(line.logLine)) starts.push(time);
        else if (isEndEvent(line.logLine)) ends.push(time);
        return;
      }
      const cell = Math.floor(time / cellLength);
      lines.set(cell, (lines.get(cell) ?? 0) + 1);
      if (levelOf(line.logLine) !== 'error') return;
      errors.set(cell, (errors.get(cell) ?? 0) + 1);
    },
    services: () => [...byService.keys()],
    sample(service, from, seconds, since = from) {
      const counts = byService.get(service);
      const first = Math.floor(from / cellLength);
      const firstCounted = Math.ceil(since / cellLength);
      const countOf = (of: Map<number, number> | undefined, second: number): number => {
        let sum = 0;
        const begin = first + second * cellsInSecond;
        for (let cell = Math.max(begin, firstCounted); cell < begin + cellsInSecond; cell += 1) {
          sum += of?.get(cell) ?? 0;
        }
        return sum;
      };
      const numbers = (of: Map<number, number> | undefined) =>
        Array.from({ length: Math.max(0, seconds) }, (_, second) => countOf(of, second));
      return { lines: numbers(counts?.lines), errors: numbers(counts?.errors) };
    },
    starts: (service) => byService.get(service)?.starts ?? [],
    ends: (service) => byService.get(service)?.ends ?? [],
    oldest: () => oldest,
  };
}

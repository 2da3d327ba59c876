/** Counts the errors of a log by service and time, as lines come in any order. */
import { eventStream, isEndEvent, isStartEvent } from '../../contract/event-lines.ts';
import type { LogLine } from '../../contract/logs.ts';
import { rowTime, toRow } from '../../tail/arena/row.ts';
import { levelOf } from '../../tail/level.ts';
import { maskLine } from '../../tail/patterns/mask-line.ts';

/** A stretch of time, ms by the service's clock; the end is exclusive. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** Errors, starts and ends of one service. Times are ms by the service's clock. */
interface ServiceLog {
  /** Times of error lines. */
  readonly errors: number[];
  /** Times of error lines by their pattern. */
  readonly patterns: Map<string, number[]>;
  readonly starts: number[];
  readonly ends: number[];
}

/** Services that are told apart, and patterns of each; a log may have any number. */
const mostServices = 50;
const mostPatterns = 1000;

export class LogTally {
  readonly #services = new Map<string, ServiceLog>();
  #oldest = Number.POSITIVE_INFINITY;

  /** Counts a line. @param arrivedAt its time where it tells none; undefined for a line of history. */
  add(line: LogLine, arrivedAt: number | undefined): void {
    const time = rowTime(toRow(line)) ?? arrivedAt;
    if (time === undefined) return;
    this.#oldest = Math.min(this.#oldest, time);
    const { errors, patterns, starts, ends } = this.#logOf(line.serviceName ?? '');
    if (line.stream === eventStream) {
      if (isStartEvent(line.logLine)) starts.push(time);
      else if (isEndEvent(line.logLine)) ends.push(time);
      return;
    }
    if (levelOf(line.logLine) !== 'error') return;
    errors.push(time);
    const pattern = maskLine(line.logLine);
    const times = patterns.get(pattern);
    if (times !== undefined) times.push(time);
    else if (patterns.size < mostPatterns) patterns.set(pattern, [time]);
  }

  /** Returns the names of the services that wrote a line. */
  services(): readonly string[] {
    return [...this.#services.keys()];
  }

  /** Returns the number of error lines in a span. */
  errors(service: string, span: TimeSpan): number {
    return countIn(this.#services.get(service)?.errors ?? [], span);
  }

  /** Returns the number of error lines in a span whose pattern no line before it has. */
  freshErrors(service: string, span: TimeSpan): number {
    let count = 0;
    for (const times of this.#services.get(service)?.patterns.values() ?? [])
      if (times.every((time) => time >= span.from)) count += countIn(times, span);
    return count;
  }

  /** Returns the starts of a service that its log tells. */
  starts(service: string): readonly number[] {
    return this.#services.get(service)?.starts ?? [];
  }

  /** Returns the ends of its runs, as its log tells them. */
  ends(service: string): readonly number[] {
    return this.#services.get(service)?.ends ?? [];
  }

  /** Returns the time of the oldest line; infinite without any. */
  oldest(): number {
    return this.#oldest;
  }

  #logOf(name: string): ServiceLog {
    const known = this.#services.get(name);
    if (known !== undefined) return known;
    const fresh = { errors: [], patterns: new Map(), starts: [], ends: [] };
    if (this.#services.size < mostServices) this.#services.set(name, fresh);
    return fresh;
  }
}

function countIn(times: readonly number[], { from, to }: TimeSpan): number {
  return times.reduce((count, time) => count + (time >= from && time < to ? 1 : 0), 0);
}

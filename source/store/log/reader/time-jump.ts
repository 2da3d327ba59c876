import { keyName } from '../../prompts/key-names.ts';
import type { LogLine } from '../../../contract/logs.ts';
import type { Entries, Entry } from '../../../tail/arena/entries.ts';
import type { Clock } from '../../time/clock.ts';
import { waitForFilter } from './filter.ts';
import { reportWhenSlow } from './running-seek.ts';
import { fetchOlderLines } from './seek.ts';
import { pastPageSize } from '../feed/page-walk.ts';
import { momentText } from '../times.ts';
import type { PastProgress, PastResult } from '../feed/past-lines.ts';
import { firstSince, isUnread } from '../../../tail/log/time-walk.ts';
import { toRow, rowTime } from '../../../tail/arena/row.ts';
import type { Tail } from '../tail.ts';
import { hasTimes, findTime } from '../../../tail/arena/time-search.ts';

/** Lines requested to find out what the offsets of the service mean. */
const olderLines = 500;

export interface TimeJumpOptions {
  readonly tail: Pick<Tail, 'log' | 'view' | 'reading'> & {
    readonly entries: Entries<LogLine>;
    readonly filter: Pick<Tail['filter'], 'state' | 'isDone'>;
  };
  /** Target, ms since the epoch. */
  readonly time: number;
  /** Current time by the clock of the service, ms since the epoch. */
  readonly now: number;
  /** True when messages show times in UTC. */
  readonly utc: boolean;
  readonly clock: Clock;
  readonly say: (text: string, tone?: 'bad') => void;
}

/**
 * Freezes the view at the first line at or after a time. If that line is not loaded, the page with it
 * is searched by bisection over offsets. A search that is stopped or fails leaves the reader in place.
 */
export function jumpToTime(options: TimeJumpOptions): void {
  const { tail, time, now, utc, clock, say } = options;
  const { log, entries, view, reading, filter } = tail;
  const timeText = (at: number): string => momentText(at, now, utc);
  const controller = new AbortController();
  const { signal } = controller;
  const seek = reportWhenSlow(
    reading.seek.begin(() => controller.abort()),
    clock,
    `Going to ${timeText(time)}. Esc stops.`,
  );

  const end = (sentence: string, tone?: 'bad'): void => {
    if (signal.aborted) return;
    seek.end();
    say(sentence, tone);
  };

  /**
   * Freezes the view at the first loaded line at or after the time.
   * @param line one that a page had, which may lie before others where a clock was set.
   */
  const goToTarget = (line?: LogLine, sentence?: string): void => {
    const { index: nearest } = firstSince(entries, time, false);
    const index = Math.min(nearest, line === undefined ? nearest : shownFrom(line));
    const entry = entries.at(Math.min(index, entries.length - 1));
    const newest = findTime(entries, entries.length - 1, -1);
    const first = findTime(log.entries, 0);
    seek.end();
    if (entry !== undefined) view.goTo(entry.seq, { seq: entry.seq, skipped: 0 });
    if (sentence !== undefined) say(sentence);
    else if (index >= entries.length) {
      const last = newest === undefined ? '' : `; the newest is from ${timeText(newest)}`;
      say(`No line at or after ${timeText(time)}${last}.`);
    } else if (first !== undefined && time < first) {
      say(`The log begins at ${timeText(first)}, after ${timeText(time)}.`);
    } else {
      say(`First line at or after ${timeText(time)}.`);
    }
  };

  /** Returns the index of the first line that is shown, at or after the time and from a line on. */
  const shownFrom = (line: LogLine): number => {
    const all = log.entries;
    const starts = [0, ...all.gaps.filter(isUnread).map(({ seq }) => all.indexOf(seq) + 1)];
    for (const start of starts) {
      const page = all.slice(start, start + pastPageSize);
      const found = page.find((entry) => entry.kind === 'line' && isSameLine(entry.line, line));
      if (found === undefined) continue;
      const from = entries.indexOf(found.seq);
      const shown = entries.slice(from, from + pastPageSize).findIndex((entry) => isSince(entry));
      return shown < 0 ? Number.POSITIVE_INFINITY : from + shown;
    }
    return Number.POSITIVE_INFINITY;
  };
  const isSince = (entry: Entry<LogLine>): boolean =>
    entry.kind === 'line' && (rowTime(toRow(entry.line)) ?? 0) >= time;

  const report = ({ requests, reached }: PastProgress): void => {
    const count = requests === 1 ? '1 request' : `${requests} requests`;
    seek.report(`Going to ${timeText(time)}: ${count}, back to ${timeText(reached)}. Esc stops.`);
  };

  const isWhole = (): boolean => log.state.getState().older === 'none';

  /** Reads the lines around the time. Resolves to the result that the message is about. */
  const read = async (): Promise<PastResult | undefined> => {
    const results = await log.readTime({ time, signal, onProgress: report });
    const failed = results.find((result) => !reachedEnds.has(result.end));
    return failed ?? results.find(({ first }) => first !== undefined) ?? results[0];
  };

  const run = async (): Promise<void> => {
    let result = await read();
    if (result?.end === 'unknown') {
      // Another page shows what the offsets mean.
      const older = await fetchOlderLines(log, clock, signal, olderLines);
      if (older === 'failed') return end(fetchFailure, 'bad');
      result = await read();
    }
    if (result === undefined || reachedEnds.has(result.end)) {
      const wait = await waitForFilter(filter, signal);
      if (wait === 'cancelled') return;
      goToTarget(result?.first, result?.end === 'refused' ? refusedSentence(result) : undefined);
    } else if (result.end !== 'aborted') end(failureSentence(result), 'bad');
  };

  const refusedSentence = ({ error }: PastResult): string => {
    const first = findTime(log.entries, 0);
    const status = error?.status === undefined ? '' : ` (HTTP ${error.status})`;
    return `The service gives no lines before ${first === undefined ? 'these' : timeText(first)}${status}.`;
  };

  const failureSentence = ({ end: reason, requests, error }: PastResult): string => {
    switch (reason) {
      case 'fixed':
        return "The service ignores offsets, so older lines can't be reached.";
      case 'untimed':
        return 'Older lines have no times.';
      case 'exhausted':
        return `${requests} requests did not reach ${timeText(time)}.`;
      case 'failed': {
        const status = error?.status === undefined ? 'no answer' : `HTTP ${error.status}`;
        return `Older lines could not be fetched: ${status}. ${keyName('log.go-to-time', 'T')} tries again.`;
      }
      case 'unknown':
      case 'disordered':
      case 'found':
      case 'begins':
      case 'refused':
      case 'aborted':
        return 'The pages of the service are not in the order of their times.';
    }
  };

  if (entries.length === 0) end('No lines are shown.');
  else if (!hasTimes(entries)) end('The shown lines have no times.');
  else if (isWhole() && firstSince(log.entries, time, false).unread === undefined) goToTarget();
  else void run();
}

const fetchFailure = 'Older lines could not be fetched.';

/** Ends after which the line, or the oldest one that can be had, is loaded. */
const reachedEnds: ReadonlySet<PastResult['end']> = new Set(['found', 'begins', 'refused']);

function isSameLine(left: LogLine, right: LogLine): boolean {
  return (
    left.id === right.id &&
    left.timestamp === right.timestamp &&
    left.serviceName === right.serviceName &&
    left.logLine === right.logLine
  );
}

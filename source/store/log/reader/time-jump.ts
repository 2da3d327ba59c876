import { keyName } from '../../prompts/key-names.ts';
import type { LogLine } from '../../../contract/logs.ts';
import type { Entries } from '../../../tail/arena/entries.ts';
import type { Clock } from '../../time/clock.ts';
import { fetchOlderLines } from './older.ts';
import { waitForFilter } from './filter-end.ts';
import { reportWhenSlow } from './seek.ts';
import { momentText } from '../times.ts';
import type { PastProgress, PastResult } from '../feed/past-lines.ts';
import type { Tail } from '../tail.ts';
import { hasTimes, indexOfTime, findTime } from '../../../tail/arena/time-search.ts';

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

  /** Freezes the view at the first loaded line at or after the time. */
  const goToTarget = (sentence?: string): void => {
    const index = indexOfTime(entries, time);
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

  const report = ({ requests, reached }: PastProgress): void => {
    const count = requests === 1 ? '1 request' : `${requests} requests`;
    seek.report(`Going to ${timeText(time)}: ${count}, back to ${timeText(reached)}. Esc stops.`);
  };

  /** Reads the lines around the time. Resolves to the result that the message is about. */
  const read = async (): Promise<PastResult | undefined> => {
    const results = await log.readTime({ time, signal, onProgress: report });
    return results.find((result) => !reachedEnds.has(result.end)) ?? results[0];
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
      goToTarget(result?.end === 'refused' ? refusedSentence(result) : undefined);
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
  else if (log.lacksTime(time)) void run();
  else goToTarget();
}

const fetchFailure = 'Older lines could not be fetched.';

/** Ends after which the line, or the oldest one that can be had, is loaded. */
const reachedEnds: ReadonlySet<PastResult['end']> = new Set(['found', 'begins', 'refused']);

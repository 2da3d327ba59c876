import { keyName } from '../../prompts/key-names.ts';
import type { LogLine } from '../../../contract/logs.ts';
import { type Entries, seqAt } from '../../../tail/arena/entries.ts';
import type { Clock } from '../../time/clock.ts';
import { onOlderTimeout } from './older.ts';
import { momentText } from '../times.ts';
import type { Tail } from '../tail.ts';
import { hasTimes, indexOfTime, findTime } from '../../../tail/arena/time-search.ts';

/** Lines per request, and in all before the jump stops. */
const olderLines = 5000;
const mostLines = 200_000;

export interface TimeJumpOptions {
  readonly tail: Pick<Tail, 'log' | 'view' | 'reading'> & { readonly entries: Entries<LogLine> };
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
 * Freezes the view at the first line at or after a time. If the time is before the oldest loaded
 * line, older lines are fetched until the time is reached or there are no more.
 */
export function jumpToTime(options: TimeJumpOptions): void {
  const { tail, time, now, utc, clock, say } = options;
  const { log, entries, view, reading } = tail;
  const timeText = (at: number): string => momentText(at, now, utc);
  // Lines that a filter hides are loaded too, so the unfiltered log decides whether to fetch more.
  const oldestTime = (): number | undefined => findTime(log.entries, 0);
  const unsubscribes: (() => void)[] = [];
  const stop = (): void => {
    for (const unsubscribe of unsubscribes.splice(0)) unsubscribe();
  };
  const seek = reading.seek.begin(stop);
  const initialLength = log.entries.length;
  const firstSeq = (): number => seqAt(log.entries, 0) ?? Number.POSITIVE_INFINITY;
  /** `seq` of the oldest line at the last request; only a lower one shows that older lines came. */
  let requestedSeq = firstSeq();
  /** `seq` of the oldest line at the last check. */
  let checkedSeq = requestedSeq;

  function finish(sentence: string, tone?: 'bad', index = indexOfTime(entries, time)): void {
    stop();
    seek.end();
    const entry = entries.at(Math.min(index, entries.length - 1));
    if (entry !== undefined) view.goTo(entry.seq, { seq: entry.seq, skipped: 0 });
    say(sentence, tone);
  }

  /** Finishes the jump if the loaded lines suffice. Returns `older` when older lines are needed. */
  function check(): 'older' | undefined {
    if (entries.length === 0) {
      finish('No lines are shown.');
    } else if (!hasTimes(entries)) {
      stop();
      seek.end();
      say('The shown lines have no times.');
    } else if (time <= (oldestTime() ?? time) && log.state.getState().older !== 'none') {
      return 'older';
    } else {
      goToTarget();
    }
    return undefined;
  }

  function goToTarget(): void {
    const index = indexOfTime(entries, time);
    const first = oldestTime();
    const newest = findTime(entries, entries.length - 1, -1);
    if (index >= entries.length) {
      const last = newest === undefined ? '' : `; the newest is from ${timeText(newest)}`;
      finish(`No line at or after ${timeText(time)}${last}.`);
    } else if (first !== undefined && time < first) {
      finish(`The log begins at ${timeText(first)}, after ${timeText(time)}.`);
    } else {
      finish(`First line at or after ${timeText(time)}.`);
    }
  }

  function finishEarly(why: string, tone?: 'bad'): void {
    const first = oldestTime();
    const since = first === undefined ? '' : ` Loaded lines begin at ${timeText(first)}.`;
    finish(`${why}${since}`, tone, 0);
  }

  const fetchFailure = 'Older lines could not be fetched.';
  let cancelTimeout = (): void => {};
  let wasLoading = false;

  function fetchOlder(): void {
    cancelTimeout();
    const lines = log.entries.length;
    requestedSeq = firstSeq();
    checkedSeq = requestedSeq;
    wasLoading = false;
    if (log.state.getState().older === 'full')
      return finishEarly('Memory is full. Older lines cannot be loaded.');
    if (lines - initialLength >= mostLines)
      return finishEarly(
        `Stopped after 200,000 lines. ${keyName('log.go-to-time', 'T')} continues.`,
      );
    cancelTimeout = onOlderTimeout(log, clock, () => finishEarly(fetchFailure, 'bad'));
    reportProgress();
    log.olderWanted(olderLines);
    return undefined;
  }

  function reportProgress(): void {
    const first = oldestTime();
    const back = first === undefined ? '' : `, back to ${timeText(first)}`;
    const count = log.entries.length.toLocaleString('en-US');
    seek.report(`Going to ${timeText(time)}: ${count} lines so far${back}. Esc stops.`);
  }

  function onState(): void {
    const { older, connection } = log.state.getState();
    if (connection.kind === 'stopped' && connection.error === undefined) {
      // The log was closed, so no message is shown.
      stop();
      seek.end();
      return;
    }
    const hasGrown = firstSeq() < requestedSeq;
    if (older === 'loading') {
      wasLoading = true;
      // The time may be reached already, although more lines are still loading.
      if (firstSeq() >= checkedSeq) return;
      checkedSeq = firstSeq();
      if (check() === 'older') reportProgress();
      return;
    }
    if (older === 'more' && !hasGrown && !wasLoading) return;
    if (check() !== 'older') return;
    if (older === 'more' && !hasGrown) finishEarly(fetchFailure, 'bad');
    else fetchOlder();
  }

  if (check() !== 'older') return;
  unsubscribes.push(log.state.subscribe(onState), () => cancelTimeout());
  fetchOlder();
}

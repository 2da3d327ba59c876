import type { LogLine } from '../../../contract/logs.ts';
import { type Entries, seqAt } from '../../../tail/arena/entries.ts';
import type { Clock } from '../../time/clock.ts';
import { whenPatienceEnds } from './older.ts';
import { momentText } from '../times.ts';
import type { Tail } from '../tail.ts';
import { hasTimes, indexOfTime, timeFrom } from '../../../tail/arena/time-search.ts';

/** Lines asked for at once, and in all, before the reader is asked again. */
const olderLines = 5000;
const mostLines = 200_000;

export interface TimeJump {
  readonly tail: Pick<Tail, 'log' | 'view' | 'reading'> & { readonly entries: Entries<LogLine> };
  /** Where to, ms since the epoch. */
  readonly time: number;
  /** By the clock of the service, ms. */
  readonly now: number;
  /** How times are said. */
  readonly utc: boolean;
  readonly clock: Clock;
  readonly say: (text: string, tone?: 'bad') => void;
}

/**
 * Freezes the view at the first line at or after a time. Where that is before the oldest line at
 * hand, older ones are fetched until it is met, or there are no more.
 */
export function jumpToTime(options: TimeJump): void {
  const { tail, time, now, utc, clock, say } = options;
  const { log, entries, view, reading } = tail;
  const text = (at: number): string => momentText(at, now, utc);
  // What a filter hides is at hand too: whether older lines are needed is asked of the whole log.
  const oldest = (): number | undefined => timeFrom(log.entries, 0);
  const ends: (() => void)[] = [];
  const stop = (): void => {
    for (const end of ends.splice(0)) end();
  };
  const seeking = reading.seek.begin(stop);
  const began = log.entries.length;
  const firstSeq = (): number => seqAt(log.entries, 0) ?? Number.POSITIVE_INFINITY;
  /** `seq` of the oldest line when older ones were asked for: new lines say nothing of that. */
  let before = firstSeq();
  /** As much when it was looked at last. */
  let seen = before;

  function end(sentence: string, tone?: 'bad', index = indexOfTime(entries, time)): void {
    stop();
    seeking.end();
    const entry = entries.at(Math.min(index, entries.length - 1));
    if (entry !== undefined) view.goTo(entry.seq, { seq: entry.seq, skipped: 0 });
    say(sentence, tone);
  }

  /** What is known of the time among the lines at hand, or that older ones are needed. */
  function look(): 'older' | undefined {
    if (entries.length === 0) {
      end('No lines to go through.');
    } else if (!hasTimes(entries)) {
      stop();
      seeking.end();
      say('The lines of this log carry no times.');
    } else if (time <= (oldest() ?? time) && log.state.getState().older !== 'none') {
      return 'older';
    } else {
      arrive();
    }
    return undefined;
  }

  function arrive(): void {
    const index = indexOfTime(entries, time);
    const first = oldest();
    const newest = timeFrom(entries, entries.length - 1, -1);
    if (index >= entries.length) {
      const last = newest === undefined ? '' : `; the newest is of ${text(newest)}`;
      end(`No line is as new as ${text(time)}${last}.`);
    } else if (first !== undefined && time < first) {
      end(`The log begins at ${text(first)}, after ${text(time)}.`);
    } else {
      end(`First line at or after ${text(time)}.`);
    }
  }

  function giveUp(why: string, tone?: 'bad'): void {
    const first = oldest();
    const since = first === undefined ? '' : ` Lines at hand begin at ${text(first)}.`;
    end(`${why}${since}`, tone, 0);
  }

  const failed = 'Older lines could not be fetched.';
  let cancelWatch = (): void => {};
  let wasLoading = false;

  function fetchOlder(): void {
    cancelWatch();
    const lines = log.entries.length;
    before = firstSeq();
    seen = before;
    wasLoading = false;
    if (log.state.getState().older === 'full') return giveUp('Memory has no room for older lines.');
    if (lines - began >= mostLines) return giveUp('Stopped after 200,000 lines; T goes on.');
    cancelWatch = whenPatienceEnds(log, clock, () => giveUp(failed, 'bad'));
    tellProgress();
    log.olderWanted(olderLines);
    return undefined;
  }

  function tellProgress(): void {
    const first = oldest();
    const back = first === undefined ? '' : `, back to ${text(first)}`;
    const count = log.entries.length.toLocaleString('en-US');
    seeking.say(`Going to ${text(time)}: ${count} lines so far${back}. Esc stops.`);
  }

  function onState(): void {
    const { older, connection } = log.state.getState();
    if (connection.kind === 'stopped' && connection.error === undefined) {
      // Left: there is nobody to tell.
      stop();
      seeking.end();
      return;
    }
    const grew = firstSeq() < before;
    if (older === 'loading') {
      wasLoading = true;
      // What is looked for may have come, whatever else is still asked for.
      if (firstSeq() >= seen) return;
      seen = firstSeq();
      if (look() === 'older') tellProgress();
      return;
    }
    if (older === 'more' && !grew && !wasLoading) return;
    if (look() !== 'older') return;
    if (older === 'more' && !grew) giveUp(failed, 'bad');
    else fetchOlder();
  }

  if (look() !== 'older') return;
  ends.push(log.state.subscribe(onState), () => cancelWatch());
  fetchOlder();
}

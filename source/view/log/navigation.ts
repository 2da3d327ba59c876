/** Key actions of the log: times, marks, gaps and the end of a search. */
import { keyName } from '../../store/prompts/key-names.ts';
import type { Tone } from '../../store/prompts/tone.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { parseMoment } from '../../store/log/reader/moment.ts';
import { jumpToTime } from '../../store/log/reader/time-jump.ts';
import {
  isUtcFormat,
  isLocalTimeUtc,
  logTimeFormatMessage,
  nextLogTimeFormat,
} from '../../store/log/times.ts';
import { type Prompt, prompting } from '../../store/prompts/prompt.ts';
import { formatCount } from '../text/amount.ts';
import { canRefetchGap } from './gap.ts';
import { logCursor, revealLine } from './place.ts';
import type { PaneViewport } from '../command/action.ts';
import { stripSilentCodes } from '../../tail/silent-codes.ts';

/** Switches to the next time format. */
export function cycleTimeFormat(deck: Pick<Deck, 'clock' | 'screen' | 'messages'>): void {
  const localIsUtc = isLocalTimeUtc(deck.clock.now());
  const times = nextLogTimeFormat(deck.screen.getState().times, localIsUtc);
  deck.screen.reading.setTimes(times);
  deck.messages.say(logTimeFormatMessage(times));
}

/** Prompts for a time and moves the cursor to the first line at or after it. */
export function promptTime(deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'opened'>): void {
  if (deck.opened.getState().tail === undefined) return;
  openPrompt('', undefined);

  /** @param previousError error of the previous input, shown until the text changes. */
  function openPrompt(text: string, previousError: string | undefined): void {
    const utc = isUtcFormat(deck.screen.getState().times);
    let problem = previousError;
    const prompt: Prompt = {
      label: utc ? 'Go to time, UTC: ' : 'Go to time: ',
      hints: timeHints,
      outcome: {
        subscribe: (changed) => deck.screen.subscribe(changed),
        text: () => '',
        problem: () => (problem === undefined ? undefined : { sentence: problem, next: '' }),
      },
      changed() {
        problem = undefined;
      },
      submit(input) {
        const { tail } = deck.opened.getState();
        const now = deck.clock.serviceNow();
        const parsed = parseMoment(input, now, utc);
        if (!parsed.ok) return openPrompt(input, parsed.problem);
        if (tail === undefined) return undefined;
        const { clock } = deck;
        const say = (text: string, tone?: Tone) => deck.messages.say(text, tone);
        return jumpToTime({ tail, time: parsed.at, now, utc, clock, say });
      },
    };
    deck.screen.overlay.open(prompting(prompt, text));
  }
}

/** Hints of the time prompt, with example inputs. */
export const timeHints = [
  ['Enter', 'go'],
  ['12:01', ''],
  ['-5m', ''],
  ['yesterday 14:00', ''],
  ['2026-11-20 14:00', ''],
  ['Esc', 'back'],
] as const;

/** Marks or unmarks the line under the cursor, or the newest line while following. */
export function toggleLineMark(deck: Pick<Deck, 'messages' | 'opened'>): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return;
  if (tail.view.position.getState().kind === 'following') tail.view.toggleFreeze();
  const cursor = logCursor(tail);
  const entry = cursor === undefined ? undefined : tail.entries.at(tail.entries.indexOf(cursor));
  if (entry === undefined || entry.seq !== cursor) return deck.messages.say('No line to mark.');
  if (entry.kind === 'gap') return deck.messages.say("Gaps can't be marked.");
  const { marks } = tail.reading;
  const isMarked = marks.toggle(entry);
  const { size } = marks.state.getState();
  const count = size === 1 ? '1 mark' : `${formatCount(size)} marks`;
  const next = `${keyName('log.next-mark', 'M')} goes to the next.`;
  return deck.messages.say(`${isMarked ? 'Marked' : 'Unmarked'}: ${count}. ${next}`);
}

/** Characters of a log line that a message quotes. */
const maxQuoteLength = 200;

/** Moves the cursor to the next newer mark; wraps from the newest to the oldest. */
export function stepToMark(deck: Pick<Deck, 'messages' | 'opened'>, { rows }: PaneViewport): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return;
  const step = tail.reading.marks.next(logCursor(tail));
  if (step === undefined)
    return deck.messages.say(
      `No marks. ${keyName('log.mark', 'm')} marks the line under the cursor.`,
    );
  const number = `Mark ${formatCount(step.number)} of ${formatCount(step.count)}`;
  if (!step.isShown) {
    const text = stripSilentCodes(step.line.logLine.slice(0, maxQuoteLength));
    return deck.messages.say(`${number} is not shown: ${text}`);
  }
  revealLine(tail, step.seq, rows);
  return deck.messages.say(step.wrapped ? `${number}, from the oldest again.` : `${number}.`);
}

/** Retries the gaps that could not be fetched, and reports what `R` does to this log. */
export function retryGaps(deck: Pick<Deck, 'messages' | 'opened'>): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return;
  const count = tail.entries.gaps.filter(canRefetchGap).length;
  const { connection, olderError } = tail.log.state.getState();
  const isLive = connection.kind === 'live';
  tail.log.retryGaps();
  const gaps = count === 1 ? 'a gap' : `${formatCount(count)} gaps`;
  if (count === 0 && isLive && olderError !== undefined) {
    deck.messages.say('Fetching the earlier lines again.');
  } else if (count === 0) deck.messages.say(isLive ? 'No gaps to fill.' : 'Reconnecting.');
  else
    deck.messages.say(
      isLive ? `Fetching ${gaps} again.` : `Reconnecting and fetching ${gaps} again.`,
    );
}

/** Stops the running search of the log; returns false if none runs. */
export function stopSeek(deck: Pick<Deck, 'screen' | 'messages' | 'opened'>): boolean {
  // An overlay handles Esc itself.
  if (deck.screen.getState().overlay !== undefined) return false;
  const stopped = deck.opened.getState().tail?.reading.seek.cancel() === true;
  if (stopped) deck.messages.say('Search stopped.');
  return stopped;
}

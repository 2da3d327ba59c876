/** Compares the patterns of a log before and after a moment. */
import type { Deck } from '../../../store/deck/deck.ts';
import type { LogRestart } from '../../../store/log/restarts.ts';
import type { Tail } from '../../../store/log/tail.ts';
import { findTime } from '../../../tail/arena/time-search.ts';
import { logCursor } from '../place.ts';
import { openComparison, restartsOf } from './open-comparison.ts';
import { compareRestart, worseRun, type WorseRunHandles } from './worse-run.ts';

/**
 * Opens the comparison of the lines before and after a moment: the restart below the cursor, else the
 * line under the cursor, and while the log is followed, or in another pane, the restart that is worse,
 * else the last one.
 */
export function comparePatterns(
  deck: Pick<Deck, 'clock' | 'messages'> & WorseRunHandles,
): Promise<void> | void {
  const { focus, main } = deck.screen.getState();
  const { tail } = deck.opened.getState();
  const isAtLine = focus === 'main' && main.kind === 'logs' && tail && logCursor(tail);
  const worse = isAtLine === undefined || isAtLine === false ? worseRun(deck) : undefined;
  if (worse !== undefined) return compareRestart(deck, worse);
  if (tail === undefined) return deck.messages.say('Open a deployment first.');
  const moment = momentOf(tail);
  if (moment === undefined) {
    return deck.messages.say(
      'No restart is known. Move to a line of the log to compare before and after it.',
    );
  }
  return openComparison(deck, tail, moment);
}

/** Returns the restart that is drawn below the line under the cursor. */
export function restartAtCursor(tail: Tail): LogRestart | undefined {
  const cursor = logCursor(tail);
  const index = cursor === undefined ? -1 : tail.entries.indexOf(cursor);
  const [from, to] = [timeAt(tail, index), timeAt(tail, index + 1)];
  if (from === undefined) return undefined;
  const isBelow = ({ at }: LogRestart) => from < at && (to === undefined || at <= to);
  return restartsOf(tail).find(isBelow);
}

function momentOf(tail: Tail): number | undefined {
  const cursor = logCursor(tail);
  if (cursor === undefined) return restartsOf(tail).at(-1)?.at;
  return restartAtCursor(tail)?.at ?? findTime(tail.entries, tail.entries.indexOf(cursor));
}

function timeAt({ entries }: Tail, index: number): number | undefined {
  return index < 0 || index >= entries.length ? undefined : findTime(entries, index);
}

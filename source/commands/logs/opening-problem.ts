/** Finds out whether the criteria of a printed log can be applied to it. */
import type { FollowedLog } from '../../store/log/feed/followed-log.ts';
import { dateTimeText } from '../../store/log/times.ts';
import { findTime, hasTimes } from '../../tail/arena/time-search.ts';
import { type CommandProblem, failureProblem, usageProblem } from '../command-problem.ts';
import type { HistoryReach } from './history-reach.ts';
import type { LineSelector } from './line-selector.ts';
import type { Say } from './log-notes.ts';

/** A log whose first history is there. */
interface OpenedLog {
  readonly logs: FollowedLog;
  readonly selector: LineSelector;
  readonly reach: HistoryReach;
  /** Whether the history is searched, rather than counted off. */
  readonly isSearched: boolean;
  readonly note: Say;
}

export const tooSlowProblem = failureProblem(
  'A pattern takes too long on the lines of the log.',
  'Use a simpler one, without nested repetitions.',
);

/**
 * Returns the sentence for a walk back to a time that had to stop early; undefined when it had not. Lines
 * since the time may then be missing.
 */
export function shortHistory({
  logs,
  selector,
  reach,
}: Pick<OpenedLog, 'logs' | 'selector' | 'reach'>): string | undefined {
  const { entries, state } = logs;
  const { since } = selector;
  const { older, olderError, olderErrorOffset } = state.getState();
  if (since === undefined || older === 'none' || entries.length === 0) return undefined;
  if (reach.isReached(entries, logs.firstLive())) return undefined;
  const oldest = findTime(entries, 0);
  const to = oldest === undefined ? '' : ` to ${dateTimeText(oldest, false)}`;
  const at =
    olderErrorOffset === undefined ? '' : ` at offset ${olderErrorOffset.toLocaleString('en-US')}`;
  const status = olderError?.status === undefined ? '' : ` (HTTP ${olderError.status}${at})`;
  const why = older === 'full' ? 'memory is full' : `the service gave no more${status}`;
  const lines = entries.length.toLocaleString('en-US');
  return `Read back${to}, ${lines} lines; ${why}. Lines since ${dateTimeText(since, false)} may be missing.`;
}

/** Notes what the first history lacks. Returns why the criteria can't be applied to it. */
export function openingProblem({
  logs,
  selector,
  reach,
  isSearched,
  note,
}: OpenedLog): CommandProblem | undefined {
  const { entries, state } = logs;
  const { older, olderError } = state.getState();
  if (entries.length === 0) return undefined;
  if (reach.isCut()) note('Only the last lines were searched. -n all searches the whole log.');
  const isShort = isSearched && selector.since === undefined;
  if (isShort && !reach.isReached(entries, logs.firstLive())) {
    if (older === 'full')
      note(
        'Memory is full: earlier lines are left out. --log-lines and --log-bytes set its limits.',
      );
    else if (olderError !== undefined)
      note(`Earlier lines could not be fetched. ${olderError.sentence}`);
  }
  if (!selector.needsTimes || hasTimes(entries)) return undefined;
  return usageProblem(
    'The lines of this log tell no times, by which they could be selected.',
    'Use -n to select the last ones.',
  );
}

import type { LogLine } from '../../../contract/logs.ts';
import type { Entries, Entry, GapEntry } from '../../../tail/arena/entries.ts';
import { indexOfTime } from '../../../tail/arena/time-search.ts';

/**
 * Returns the first loaded line at or after a time when lines before it are not loaded, so that the
 * first line at or after the time may be one of these; undefined when it is loaded.
 * @param hasOlder whether the service has lines before the oldest loaded one.
 */
export function unreadAfter(
  entries: Entries<LogLine>,
  time: number,
  hasOlder: boolean,
): Entry<LogLine> | undefined {
  const index = indexOfTime(entries, time);
  const entry = entries.at(index);
  const before = entries.at(index - 1);
  return (before === undefined ? hasOlder : isUnread(before)) ? entry : undefined;
}

/** Returns whether an entry is a gap whose lines nobody has asked for. */
export function isUnread(entry: Entry<LogLine> | undefined): entry is GapEntry<LogLine> {
  return entry?.kind === 'gap' && entry.state.kind === 'missing' && entry.state.why === 'unread';
}

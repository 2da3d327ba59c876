import type { PendingRestart } from '../../store/restarts/journal.ts';
import { pendingRestartText } from '../../store/restarts/sentences.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';

const day = 86_400_000;

/** Summarises the drafts and pending restarts of earlier runs; undefined when there are none. */
export function unfinishedSentence(
  restarts: readonly PendingRestart[],
  drafts: {
    readonly count: number;
    readonly since: number;
    /** True when one of them was sent and no answer came. */
    readonly sent?: boolean;
  },
  now: number,
): string | undefined {
  const parts = [draftsText(drafts.count), pendingRestartText(restarts)].filter(
    (part) => part !== undefined,
  );
  if (parts.length === 0) return undefined;
  const times = restarts.map((entry) => entry.since);
  const since = Math.min(...times, ...(drafts.count > 0 ? [drafts.since] : []));
  const end =
    drafts.sent === true ? 'A deployment was sent; no answer came.' : 'Nothing was sent yet.';
  return `Unfinished since ${shortDateText(since, now)}: ${parts.join(', ')}. ${end}`;
}

function draftsText(count: number): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? '1 draft' : `${count} drafts`;
}

/** Formats the time after `Sent`: `at 14:02:11` within a day, otherwise `on 2026-11-20`. */
export function sentText(at: number, now: number): string {
  return now - at < day ? `at ${formatTimeOfDay(at)}` : `on ${shortDateText(at, now)}`;
}

/** Formats `at` ms as a local time within a day (`14:02`), otherwise as a date (`2026-11-20`). */
export function shortDateText(at: number, now: number): string {
  if (now - at < day) return formatTimeOfDay(at).slice(0, 5);
  const date = new Date(at);
  const parts = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return [date.getFullYear(), ...parts].join('-');
}

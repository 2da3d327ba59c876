/** Steps to lines that memory has no room for. */
import type { Deck } from '../../store/deck/deck.ts';
import { isUnread } from '../../store/log/feed/unread-time.ts';
import { type OlderWalk, walkOlder, type WantedLines } from '../../store/log/reader/walk-older.ts';
import type { RunningSeek } from '../../store/log/reader/seek.ts';
import { isUtcFormat, momentText } from '../../store/log/times.ts';
import type { Tail } from '../../store/log/tail.ts';
import { seqAt } from '../../tail/arena/entries.ts';
import { linesBetween } from '../../tail/arena/gap.ts';
import { formatCount } from '../text/amount.ts';

type Handles = Pick<Deck, 'clock' | 'screen'>;

/** Reads lines that memory has no room for until one is wanted, and reports the progress. */
export function walkBeyondMemory(
  deck: Handles,
  tail: Tail,
  wanted: WantedLines,
  { seek, signal }: { readonly seek: RunningSeek; readonly signal: AbortSignal },
): Promise<OlderWalk> {
  return walkOlder(tail, wanted, {
    signal,
    onProgress({ lines, reached }) {
      if (lines > 0) seek.report(`Read ${readText(deck, { lines, reached })}. Esc stops.`);
    },
  });
}

/** Logs of which lines that the filters show are being read. */
const readLogs = new WeakSet<Tail>();

/** Returns whether {@link readOlderShown} reads lines of a log. */
export function isReadingOlder(tail: Tail): boolean {
  return readLogs.has(tail);
}

/** Reads lines that memory has no room for until the filters show one, and moves the cursor there. */
export async function readOlderShown(
  deck: Handles & Pick<Deck, 'messages'>,
  tail: Tail,
): Promise<void> {
  if (readLogs.has(tail)) return;
  readLogs.add(tail);
  const controller = new AbortController();
  const { signal } = controller;
  const seek = tail.reading.seek.begin(() => controller.abort());
  const first = seqAt(tail.entries, 0) ?? Number.POSITIVE_INFINITY;
  const wanted: WantedLines = { key: 'shown', pick: (entries) => entries };
  const walk = await walkBeyondMemory(deck, tail, wanted, { seek, signal });
  readLogs.delete(tail);
  if (walk.end === 'aborted') return;
  seek.end();
  if (walk.end === 'found') goToLineBefore(tail, first);
  const message = walkMessage(deck, walk, 'line', 'Up');
  if (message !== undefined) deck.messages.say(message);
}

/** Moves the cursor to the nearest line before a `seq`; gaps lie between. */
function goToLineBefore({ entries, view }: Tail, seq: number): void {
  for (let index = entries.indexOf(seq) - 1; index >= 0; index -= 1) {
    const entry = entries.at(index);
    if (entry?.kind === 'line') return view.goTo(entry.seq);
  }
  return undefined;
}

/**
 * Returns the message about a walk that found nothing, or about lines that it left out.
 * @param key of the command that continues it.
 */
export function walkMessage(
  deck: Handles,
  walk: OlderWalk,
  kind: 'error' | 'match' | 'line',
  key: string,
): string | undefined {
  switch (walk.end) {
    case 'none':
      return `No older ${kind}: all ${formatCount(walk.lines)} lines before were read.`;
    case 'stopped':
      return `No ${kind} in ${readText(deck, walk)}. ${key} reads on.`;
    case 'failed': {
      const status = walk.error?.status === undefined ? 'no answer' : `HTTP ${walk.error.status}`;
      return `Older lines could not be fetched: ${status}. ${key} tries again.`;
    }
    case 'hinted':
      return "Found by the service's search; lines in between were not read.";
    case 'found':
    case 'aborted':
      return undefined;
    default:
      return walk.end satisfies never;
  }
}

/** Returns `12,400 older lines, back to 11:02:03`. */
function readText(
  { clock, screen }: Handles,
  { lines, reached }: Pick<OlderWalk, 'lines' | 'reached'>,
): string {
  const utc = isUtcFormat(screen.getState().times);
  const back = reached === undefined ? '' : `, back to ${momentText(reached, clock.now(), utc)}`;
  return `${formatCount(lines)} older lines${back}`;
}

/** Returns the message about lines that a step has passed although they are not loaded. */
export function passedUnreadMessage(
  { entries }: Pick<Tail, 'entries'>,
  from: number,
  to: number,
): string | undefined {
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  const gap = entries.gaps.findLast(
    (each) => isUnread(each) && each.seq > first && each.seq < last,
  );
  if (gap === undefined) return undefined;
  const lines = linesBetween(gap.after, gap.until);
  return `Passed ${lines}, which are not loaded.`;
}

/** Returns whether lines on one side of a place are not loaded. */
export function lacksLines(
  { entries, log }: Pick<Tail, 'entries' | 'log'>,
  from: number,
  step: 1 | -1,
): boolean {
  const isMissing = entries.gaps.some(
    (each) => isUnread(each) && (step > 0 ? each.seq > from : each.seq < from),
  );
  return isMissing || (step < 0 && log.state.getState().older !== 'none');
}

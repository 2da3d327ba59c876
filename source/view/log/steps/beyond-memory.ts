/** Steps to lines that are not loaded. */
import type { Deck } from '../../../store/deck/deck.ts';
import type { WalkSide } from '../../../store/log/feed/walk-path.ts';
import {
  type GapWalk,
  type UnreadWalk,
  walkUnread,
  type WantedLines,
} from '../../../store/log/reader/walk-unread.ts';
import { reportWhenSlow, type RunningSeek } from '../../../store/log/reader/seek.ts';
import { isUtcFormat, momentText } from '../../../store/log/times.ts';
import type { Tail } from '../../../store/log/tail.ts';
import type { LogLine } from '../../../contract/logs.ts';
import { pastPageSize } from '../../../store/log/feed/past-page.ts';
import type { Entry } from '../../../tail/arena/entries.ts';
import { formatCount } from '../../text/amount.ts';

type Handles = Pick<Deck, 'clock' | 'screen'>;

/** The seek that shows the progress of a walk, and the signal that ends it. */
export interface WalkWork {
  readonly seek: RunningSeek;
  readonly signal: AbortSignal;
}

/**
 * Reads lines that are not loaded until one is wanted, and reports the progress.
 * @param through the gap whose lines are read; the lines before the oldest loaded one without it.
 */
export function readUnread(
  deck: Handles,
  tail: Tail,
  wanted: WantedLines,
  { seek, signal }: WalkWork,
  through?: GapWalk,
): Promise<UnreadWalk> {
  const slow = reportWhenSlow(
    seek,
    deck.clock,
    `Reading ${through?.side ?? 'older'} lines. Esc stops.`,
  );
  return walkUnread(tail, wanted, {
    through,
    signal,
    onProgress({ lines, reached }) {
      const read = readText(deck, { lines, reached }, through?.side);
      if (lines > 0) slow.report(`Read ${read}. Esc stops.`);
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
  const first = tail.entries.at(0);
  const wanted: WantedLines = { key: 'shown', pick: (entries) => entries };
  const walk = await readUnread(deck, tail, wanted, { seek, signal });
  readLogs.delete(tail);
  if (walk.end === 'aborted') return;
  seek.end();
  if (walk.end === 'found') goToLineBefore(tail, first);
  const message = walkMessage(deck, walk, 'line', 'Up');
  if (message !== undefined) deck.messages.say(message);
}

/** Moves the cursor to the nearest line before another one; gaps lie between. */
function goToLineBefore({ entries, view }: Tail, line: Entry<LogLine> | undefined): void {
  for (let index = indexOfLine(entries, line) - 1; index >= 0; index -= 1) {
    const entry = entries.at(index);
    if (entry?.kind === 'line') return view.goTo(entry.seq);
  }
  return undefined;
}

/** Returns the index of a line that may have been dropped to make room, and read again since. */
function indexOfLine(entries: Tail['entries'], line: Entry<LogLine> | undefined): number {
  if (line === undefined) return entries.length;
  const index = entries.indexOf(line.seq);
  const start = Math.max(0, index - pastPageSize);
  const near = entries.slice(start, index + pastPageSize);
  const found = near.findIndex(
    (entry) =>
      entry.kind === line.kind && entry.place === line.place && entry.member === line.member,
  );
  return found < 0 ? index : start + found;
}

/**
 * Returns the message about a walk that found nothing, or about lines that it left out.
 * @param key of the command that continues it.
 */
export function walkMessage(
  deck: Handles,
  walk: UnreadWalk,
  kind: 'error' | 'match' | 'line',
  key: string,
  side: WalkSide = 'older',
): string | undefined {
  switch (walk.end) {
    case 'none':
      return `No ${side} ${kind}: all ${formatCount(walk.lines)} lines before were read.`;
    case 'stopped':
      return `No ${kind} in ${readText(deck, walk, side)}. ${key} reads on.`;
    case 'failed': {
      const status = walk.error?.status === undefined ? 'no answer' : `HTTP ${walk.error.status}`;
      return `${side === 'older' ? 'Older' : 'Newer'} lines could not be fetched: ${status}. ${key} tries again.`;
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
  { lines, reached }: Pick<UnreadWalk, 'lines' | 'reached'>,
  side: WalkSide = 'older',
): string {
  const utc = isUtcFormat(screen.getState().times);
  const to = side === 'older' ? 'back to' : 'up to';
  const end = reached === undefined ? '' : `, ${to} ${momentText(reached, clock.now(), utc)}`;
  return `${formatCount(lines)} ${side} lines${end}`;
}

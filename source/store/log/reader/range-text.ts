import type { LogLine } from '../../../contract/logs.ts';
import type { Entry } from '../../../tail/arena/entries.ts';
import { type Clock, turnOf } from '../../time/clock.ts';
import type { PinnedEntries } from './pinned.ts';
import { gapLine, lostLine, wholeText } from './export.ts';
import { type LogRange, type SliceEnd, sliceLog } from './slices.ts';

/** `text`: that of the lines alone; `whole`: with time and service. */
export type RangeTextForm = 'text' | 'whole';

export type RangeText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too-long' }
  /** Nothing of it is in memory any more. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'moved' };

/**
 * The lines of a range as one text without a line end at its end, each as the service wrote it; a
 * gap is a line that says so.
 * @param most characters: of more, none are given.
 */
export async function rangeText(
  entries: PinnedEntries,
  range: LogRange,
  form: RangeTextForm,
  { clock, most }: { readonly clock: Clock; readonly most: number },
): Promise<RangeText> {
  const slices = sliceLog(entries, range, () => clock.now());
  const parts: string[] = [];
  let length = 0;
  for (let end: SliceEnd = 'more'; end === 'more'; ) {
    end = slices.next((entry) => {
      const part = form === 'whole' ? wholeText(entry).slice(0, -1) : ownText(entry);
      length += part.length + 1;
      if (length <= most || parts.length === 0) parts.push(part);
    });
    if (end === 'moved') return { kind: 'moved' };
    if (length > most && parts.length > 1) return { kind: 'too-long' };
    if (end === 'more') await turnOf(clock);
  }
  if (parts.length === 0) return { kind: 'gone' };
  if (slices.lostAtEnd()) parts.push(lostLine);
  return { kind: 'text', text: parts.join('\n') };
}

function ownText(entry: Entry<LogLine>): string {
  return entry.kind === 'line' ? entry.line.logLine : gapLine(entry);
}

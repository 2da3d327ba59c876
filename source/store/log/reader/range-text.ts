import type { LogLine } from '../../../contract/logs.ts';
import type { Entry } from '../../../tail/arena/entries.ts';
import { type Clock, turnOf } from '../../time/clock.ts';
import { gapLineText, lostEndText, entryText } from './export.ts';
import { type LogRange, type ShownLines, type SliceResult, sliceLog } from './slices.ts';

/** Form of the lines: `text` alone, or `whole` with time and service. */
export type RangeTextForm = 'text' | 'whole';

export type RangeText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too-long' }
  /** No line of the range is in memory any more. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'moved' };

/**
 * Returns the lines of a range as one text without a final line break, each as the service wrote
 * it; a gap becomes a line that names it.
 * @param most characters; a longer text of several lines is `too-long`.
 */
export async function rangeText(
  lines: ShownLines,
  range: LogRange,
  form: RangeTextForm,
  { clock, most }: { readonly clock: Clock; readonly most: number },
): Promise<RangeText> {
  const slices = sliceLog(lines, range, () => clock.now());
  const parts: string[] = [];
  let length = 0;
  for (let end: SliceResult = 'more'; end === 'more'; ) {
    end = slices.next((entry) => {
      const text = form === 'whole' ? entryText(entry).slice(0, -1) : plainText(entry);
      length += text.length + 1;
      if (length <= most || parts.length === 0) parts.push(text);
    });
    if (end === 'moved') return { kind: 'moved' };
    if (length > most && parts.length > 1) return { kind: 'too-long' };
    if (end === 'more') await turnOf(clock);
  }
  if (parts.length === 0) return { kind: 'gone' };
  if (slices.lostAtEnd()) parts.push(lostEndText);
  return { kind: 'text', text: parts.join('\n') };
}

function plainText(entry: Entry<LogLine>): string {
  return entry.kind === 'line' ? entry.line.logLine : gapLineText(entry);
}

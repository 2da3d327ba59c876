import type { LogLine } from '../../../contract/logs.ts';
import type { ViewportTop } from '../../../store/log/reader/view.ts';
import type { Entry } from '../../../tail/arena/entries.ts';
import { type Line, span } from '../../text/line.ts';
import { entryRows, type LogLayout } from './entry-rows.ts';
import type { Gutter, LogStyle } from './line.ts';

/** Most rows of a wrapped line that can be scrolled through; the details show longer ones. */
const maxRows = 1000;

/**
 * Returns the rows of a wrapped line that is taller than the window, as far as the next screen: a line
 * may be a megabyte long.
 * @param top first row of the window, which may be within the line.
 */
export function tallRows(
  entry: Entry<LogLine>,
  style: LogStyle,
  gutter: Gutter,
  layout: LogLayout,
  top: ViewportTop | undefined,
): readonly Line[] {
  const skipped = top?.seq === entry.seq ? top.skipped : 0;
  const wanted = skipped + 2 * layout.height;
  const rows = entryRows(entry, style, gutter, { ...layout, height: Math.min(wanted, maxRows) });
  if (rows.length < maxRows) return rows;
  return [...rows.slice(0, -1), [span(' -- Enter shows the rest --', 'quiet')]];
}

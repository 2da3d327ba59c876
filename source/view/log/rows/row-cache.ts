import type { Entry } from '../../../tail/arena/entries.ts';
import type { Line } from '../../text/line.ts';
import { entryRows, type LogLayout } from './entry-rows.ts';
import { emptyGutter, type Gutter, instanceColumnWidth, type LogStyle } from './line.ts';
import type { LogLine } from '../../../contract/logs.ts';

/** Caches the rows of each entry for one layout, except under the cursor and for marked lines. */
export class LogRowCache {
  readonly #layout: LogLayout;
  #style: LogStyle | undefined;
  /** Cells of the widest instance number drawn so far. */
  instanceWidth = 0;
  #rows = new WeakMap<Entry<LogLine>, readonly Line[]>();

  constructor(layout: LogLayout) {
    this.#layout = layout;
  }

  of(entry: Entry<LogLine>, style: LogStyle, gutter: Gutter): readonly Line[] {
    const { times, serviceWidth, instanceWidth, members, now, search, code } = this.#style ?? {};
    const { columns, columnsVersion } = this.#style ?? {};
    const hasSameWidths =
      instanceWidth === style.instanceWidth && serviceWidth === style.serviceWidth;
    const isUnchanged = hasSameWidths && times === style.times && code === style.code;
    if (entry.kind === 'line') {
      this.instanceWidth = Math.max(this.instanceWidth, instanceColumnWidth(entry.line));
    }
    const hasSameColumns = columns === style.columns && columnsVersion === style.columnsVersion;
    const isSame = isUnchanged && hasSameColumns && now === style.now;
    if (!isSame || search !== style.search || members !== style.members) {
      this.#style = style;
      this.#rows = new WeakMap();
    }
    const isOwn = gutter.lines !== undefined || gutter.before !== undefined;
    if (gutter.hasCursor || gutter.hasMark || isOwn)
      return entryRows(entry, style, gutter, this.#layout);
    const cached = this.#rows.get(entry);
    if (cached !== undefined) return cached;
    const rows = entryRows(entry, style, emptyGutter, this.#layout);
    this.#rows.set(entry, rows);
    return rows;
  }
}

/** Draws lines with fields as columns: the chosen fields, then the message. */
import { fieldReader } from '../../../tail/query/line-fields.ts';
import type { LogColumns } from '../../../store/log/reader/columns.ts';
import { cellWidth, padCells, truncateCells } from '../../../terminal/screen/cells.ts';
import { sanitize } from '../../../terminal/screen/sanitize.ts';
import { type Line, span } from '../../text/line.ts';
import type { Token } from '../../text/theme.ts';

/** Fields whose text is the message of a line. */
const messageKeys = ['msg', 'message', 'event', '@m', '@mt'] as const;

/** Cells of the widest and the narrowest value. */
const mostCells = 32;
const leastCells = 4;

/** The columns of one choice of fields; they grow with the values that were drawn. */
export interface ColumnLayout {
  /** Grows whenever a column has become wider, so that drawn rows are out of date. */
  readonly version: number;
  /**
   * Returns the columns of a line and its message; undefined for a line without any of the fields, which
   * is drawn as it is.
   */
  of(text: string, token: Token | undefined): Line | undefined;
}

export function createColumnLayout(columns: LogColumns): ColumnLayout {
  const readers = columns.map((key) => ({ key, read: fieldReader(key) }));
  const messages = messageKeys.map((key) => fieldReader(key));
  const widths = new Map<string, number>();
  let version = 0;

  const widthFor = (key: string, value: string): number => {
    const before = widths.get(key) ?? leastCells;
    const width = Math.max(before, Math.min(cellWidth(value), mostCells));
    widths.set(key, width);
    if (width > before) version += 1;
    return width;
  };

  return {
    get version() {
      return version;
    },
    of(text, token) {
      const values = readers.map(({ read }) => read(text));
      if (values.every((value) => value === undefined)) return undefined;
      const spans = readers.flatMap(({ key }, index) => {
        const value = sanitize(values[index] ?? '');
        const cells = widthFor(key, value);
        return [
          span(`${sanitize(key)}=`, 'quiet'),
          span(`${padCells(truncateCells(value, cells), cells)}  `, token),
        ];
      });
      const message = messages
        .map((read) => read(text))
        .find((each) => each !== undefined && each !== '');
      return [...spans, span(message ?? text, token)];
    },
  };
}

/** A difference in words. */
import type { DiffRow } from '../../editor/diff-rows.ts';
import type { DifferenceState } from '../../store/editor/difference.ts';
import { changeText } from './diff-rows.ts';

const signs = { same: '', removed: 'minus ', added: 'plus ' } as const;

/** Returns a row of a unified difference in words. */
export function diffRowWords(row: DiffRow): string {
  if (row.kind === 'skipped') return `${row.count} equal lines`;
  const end = row.kind === 'same' || row.end === undefined ? '' : `, ${row.end}`;
  return `${signs[row.kind]}${row.text === '' ? 'empty line' : row.text}${end}`;
}

/** Most rows of a change that are said when a key steps to it. */
const mostRows = 10;

/** Returns the current change with its rows: `change 1 of 2: minus a; plus b`; undefined for none. */
export function changeWords(state: DifferenceState): string | undefined {
  const { shown, change } = state;
  if (shown === undefined) return undefined;
  const { rows, changes } = shown.comparison.unified();
  const first = changes[change];
  if (first === undefined) return undefined;
  const length = rows.slice(first).findIndex(({ kind }) => kind === 'same' || kind === 'skipped');
  const own = rows.slice(first, length === -1 ? undefined : first + length);
  const said = own.slice(0, mostRows).map(diffRowWords);
  const more = own.length > mostRows ? [`${own.length - mostRows} more`] : [];
  return `${changeText(state)}: ${[...said, ...more].join('; ')}`;
}

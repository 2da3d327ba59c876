import type { TreeRow } from '../../store/files/tree-nodes.ts';
import { ageSince } from '../../store/time/age.ts';
import { formatBytes } from '../../store/files/file-size.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { column } from '../text/fit.ts';
import { type Line, span } from '../text/line.ts';

/**
 * The state of a file: a draft that is not saved, a draft of a file that is not on the service, or a
 * change that is not restarted into effect.
 */
export type FileMark = 'draft' | 'new' | 'unapplied';

/** A row of the tree and its states. */
export interface FileRow {
  readonly row: TreeRow;
  readonly cursor: boolean;
  readonly opened: boolean;
  /** True when marked with Space. */
  readonly marked?: boolean;
  readonly mark?: FileMark | undefined;
}

/** Layout shared by all rows of a tree. */
export interface FileColumns {
  readonly width: number;
  /** True when any file has a state, so that all rows reserve its column. */
  readonly marks: boolean;
  /** Current time by the clock of the service, ms since the epoch. */
  readonly now: number;
}

const leadWidth = 3;
const sizeWidth = 9;
const ageWidth = 8;
const markWidth = 12;

/** Least width that shows ages, in cells. */
const agesFrom = 60;

/**
 * Returns a row of the tree: `-` an unfolded folder, `+` a folded one, `o` the file in the viewer,
 * `*` a marked row. The names of files begin below those of folders. Only files have columns; a
 * folder's name takes the whole row. Size and age are `-` where the service does not tell them.
 */
export function fileLine(file: FileRow, { width, marks, now }: FileColumns): Line {
  const { row } = file;
  const lead =
    file.marked === true
      ? [span(file.cursor ? '>' : ' '), span('*', 'mark'), span(' ')]
      : [span(`${file.cursor ? '>' : ' '}${file.opened ? 'o' : ' '} `)];
  const indent = '  '.repeat(row.depth);
  const name = sanitize(row.name, { tab: 'visible' });
  if (row.folder) {
    return [...lead, span(`${indent}${row.open ? '-' : '+'} ${name}/`, 'info')];
  }
  const size = row.record?.size;
  const unknown = file.mark === 'new' ? '' : '-';
  const ages =
    width >= agesFrom ? [span((age(row, now) || unknown).padStart(ageWidth), 'quiet')] : [];
  const columnsWidth = sizeWidth + (ages.length > 0 ? ageWidth : 0) + (marks ? markWidth : 0);
  return [
    ...lead,
    span(column(`${indent}  ${name}`, Math.max(10, width - leadWidth - 1 - columnsWidth))),
    span((size === undefined ? unknown : formatBytes(size)).padStart(sizeWidth)),
    ...ages,
    ...(file.mark === undefined ? [] : [span(`  ${file.mark}`, 'busy')]),
  ];
}

function age(row: TreeRow, now: number): string {
  return ageSince(row.record?.modifiedAt, now);
}

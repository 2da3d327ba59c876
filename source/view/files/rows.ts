import type { TreeRow } from '../../store/files/tree.ts';
import { ageSince } from '../text/age.ts';
import { formatBytes } from '../text/amount.ts';
import { column } from '../text/fit.ts';
import { type Line, span } from '../text/line.ts';

/** What is special about a file: text of it that is not saved, or a change that is not running. */
export type FileMark = 'draft' | 'unapplied';

export interface FileRow {
  readonly row: TreeRow;
  readonly cursor: boolean;
  readonly opened: boolean;
  /** Chosen with Space. */
  readonly marked?: boolean;
  readonly mark?: FileMark | undefined;
}

/** What the rows of one tree have in common. */
export interface FileColumns {
  readonly width: number;
  /** Some file of the tree bears a mark, so that all leave room for one. */
  readonly marks: boolean;
  /** Ms since the epoch. */
  readonly now: number;
}

const leadWidth = 3;
const sizeWidth = 9;
const ageWidth = 8;
const markWidth = 12;

/** From so many cells on, there is room for ages. */
const wide = 60;

/**
 * A row of the tree: `-` an unfolded folder, `+` a folded one, `o` the file in the viewer, `*` what
 * is marked. Only a
 * file has columns; a folder's name takes the whole row.
 */
export function fileLine(file: FileRow, { width, marks, now }: FileColumns): Line {
  const { row } = file;
  const lead =
    file.marked === true
      ? [span(file.cursor ? '>' : ' '), span('*', 'mark'), span(' ')]
      : [span(`${file.cursor ? '>' : ' '}${file.opened ? 'o' : ' '} `)];
  const indent = '  '.repeat(row.depth);
  if (row.folder) {
    return [...lead, span(`${indent}${row.open ? '-' : '+'} ${row.name}/`, 'info')];
  }
  const size = row.record?.size;
  const ages = width >= wide ? [span(age(row, now).padStart(ageWidth), 'quiet')] : [];
  const beside = sizeWidth + (ages.length > 0 ? ageWidth : 0) + (marks ? markWidth : 0);
  return [
    ...lead,
    span(column(`${indent}${row.name}`, Math.max(10, width - leadWidth - 1 - beside))),
    span((size === undefined ? '' : formatBytes(size)).padStart(sizeWidth)),
    ...ages,
    ...(file.mark === undefined ? [] : [span(`  ${file.mark}`, 'busy')]),
  ];
}

function age(row: TreeRow, now: number): string {
  return ageSince(row.record?.modifiedAt, now);
}

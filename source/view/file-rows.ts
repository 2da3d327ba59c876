import type { TreeRow } from '../store/file-tree.ts';
import { ageSince } from './age.ts';
import { formatBytes } from './amount.ts';
import { column } from './fit.ts';
import { type Line, span } from './line.ts';

export interface FileRow {
  readonly row: TreeRow;
  readonly cursor: boolean;
  readonly opened: boolean;
}

/** A row of the tree: `-` an unfolded folder, `+` a folded one, `o` the file in the viewer. */
export function fileLine(file: FileRow, width: number, now: number): Line {
  const { row } = file;
  const indent = '  '.repeat(row.depth);
  const sign = row.folder ? (row.open ? '- ' : '+ ') : '';
  const name = `${indent}${sign}${row.name}${row.folder ? '/' : ''}`;
  const size = row.record?.size;
  const sizeText = row.folder || size === undefined ? '' : formatBytes(size);
  const age = row.folder ? '' : ageSince(row.record?.modifiedAt, now);
  const wide = width >= 60;
  const nameWidth = Math.max(10, width - 3 - 10 - (wide ? 8 : 0));
  return [
    span(`${file.cursor ? '>' : ' '}${file.opened ? 'o' : ' '} `),
    span(column(name, nameWidth), row.folder ? 'info' : undefined),
    span(sizeText.padStart(9)),
    ...(wide ? [span(age.padStart(8), 'quiet')] : []),
  ];
}

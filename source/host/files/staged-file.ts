import type { Stats } from 'node:fs';
import type { FileRecord } from '../../contract/files.ts';

/** The record of a file in this host's answers. */
export interface StagedFile extends FileRecord {
  readonly size: number;
  readonly modifiedAt: string;
}

/** Largest time of a `Date`, in ms since the epoch; some file systems store later ones. */
const maxDateMs = 8.64e15;

/** Returns the record of the file at a path inside its service. */
export function toFileRecord(file: string, { size, mtimeMs }: Stats): StagedFile {
  const modifiedMs = Math.min(Math.round(mtimeMs), maxDateMs);
  return { path: file, size, modifiedAt: new Date(modifiedMs).toISOString() };
}

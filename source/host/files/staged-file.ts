import type { Stats } from 'node:fs';
import type { FileRecord } from '../../contract/files.ts';

/** A file as our host answers it. */
export interface StagedFile extends FileRecord {
  readonly size: number;
  readonly modifiedAt: string;
}

/** The last moment that a date can tell, ms since the epoch: some file systems keep later ones. */
const lastMoment = 8.64e15;

/** The record of the file at a path inside its service. */
export function toRecord(file: string, { size, mtimeMs }: Stats): StagedFile {
  const moment = Math.min(Math.round(mtimeMs), lastMoment);
  return { path: file, size, modifiedAt: new Date(moment).toISOString() };
}

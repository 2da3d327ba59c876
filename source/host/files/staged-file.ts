import type { Stats } from 'node:fs';
import type { FileRecord } from '../../contract/files.ts';

/** A file as our host answers it. */
export interface StagedFile extends FileRecord {
  readonly size: number;
  readonly modifiedAt: string;
}

/** The record of the file at a path inside its service. */
export function toRecord(file: string, { size, mtime }: Stats): StagedFile {
  return { path: file, size, modifiedAt: mtime.toISOString() };
}

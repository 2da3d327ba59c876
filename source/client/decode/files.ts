/** Decodes file records. */
import type { FileRecord } from '../../contract/files.ts';
import type { DecodedRecord } from './fields.ts';
import {
  finiteNumber,
  type Decoded,
  decodeSuccess,
  createFieldDecoder,
  nonEmptyText,
  booleanField,
  isRecord,
  type FieldType,
  decodeFailure,
  timestampText,
} from './fields.ts';

/** Decodes a file record: a path, or an object with the path and more. */
export function decodeFile(value: unknown, at: string): Decoded<DecodedRecord<FileRecord>> {
  if (typeof value === 'string' && value !== '') {
    return decodeSuccess({ value: fileRecord(value, false), unknown: {} });
  }
  if (!isRecord(value)) return decodeFailure(at, value, 'a path or an object');
  const fields = createFieldDecoder(value, at);
  const path = fields.required(nonEmptyText, 'path', 'filePath', 'name');
  if (!path.ok) return path;
  const isDirectory = fields.optional(booleanField, 'directory', 'isDirectory', 'isDir');
  const kind = fields.optional(fileKind, 'type', 'kind');
  const record = {
    ...fileRecord(path.value, isDirectory ?? kind === 'directory'),
    size: fields.optional(finiteNumber, 'size', 'bytes'),
    modifiedAt: fields.optional(
      timestampText,
      'modifiedAt',
      'modified',
      'lastModified',
      'updatedAt',
      'mtime',
    ),
  };
  return decodeSuccess({ value: record, unknown: fields.unknown() });
}

/** Builds a file record; a path with a trailing slash is a directory. */
function fileRecord(path: string, directory: boolean): FileRecord {
  const hasSlash = path.length > 1 && path.endsWith('/');
  const bare = hasSlash ? path.slice(0, -1) : path;
  return hasSlash || directory ? { path: bare, directory: true } : { path: bare };
}

/** Other kinds, such as links and media types, stay among the unknown fields. */
const fileKind: FieldType<'file' | 'directory'> = {
  expected: 'a kind of file',
  decode(value) {
    if (value === 'directory' || value === 'dir' || value === 'folder') return 'directory';
    return value === 'file' ? 'file' : undefined;
  },
};

/** Decodes file records. */
import type { FileRecord } from '../../contract/files.ts';
import type { Read } from '../client.ts';
import {
  amount,
  type Decoded,
  decoded,
  fieldsOf,
  filled,
  flag,
  isRecord,
  type Kind,
  misread,
  text,
} from './fields.ts';

/** Decodes a file record: a path, or an object with the path and more. */
export function decodeFile(value: unknown, at: string): Decoded<Read<FileRecord>> {
  if (typeof value === 'string' && value !== '') {
    return decoded({ value: fileRecord(value, false), unknown: {} });
  }
  if (!isRecord(value)) return misread(at, value, 'a path or an object');
  const fields = fieldsOf(value, at);
  const path = fields.need(filled, 'path', 'filePath', 'name');
  if (!path.ok) return path;
  const isDirectory = fields.take(flag, 'directory', 'isDirectory', 'isDir');
  const kind = fields.take(fileKind, 'type', 'kind');
  const record = {
    ...fileRecord(path.value, isDirectory ?? kind === 'directory'),
    size: fields.take(amount, 'size', 'bytes'),
    modifiedAt: fields.take(text, 'modifiedAt', 'modified', 'lastModified', 'updatedAt', 'mtime'),
  };
  return decoded({ value: record, unknown: fields.unknown() });
}

/** Builds a file record; a path with a trailing slash is a directory. */
function fileRecord(path: string, directory: boolean): FileRecord {
  const hasSlash = path.length > 1 && path.endsWith('/');
  const bare = hasSlash ? path.slice(0, -1) : path;
  return hasSlash || directory ? { path: bare, directory: true } : { path: bare };
}

/** Other kinds, such as links and media types, stay among the unknown fields. */
const fileKind: Kind<'file' | 'directory'> = {
  expected: 'a kind of file',
  read(value) {
    if (value === 'directory' || value === 'dir' || value === 'folder') return 'directory';
    return value === 'file' ? 'file' : undefined;
  },
};

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

/** A file record: its path alone, or an object with the path and what else the service knows. */
export function decodeFile(value: unknown, at: string): Decoded<Read<FileRecord>> {
  if (typeof value === 'string' && value !== '') {
    return decoded({ value: fileRecord(value, false), unknown: {} });
  }
  if (!isRecord(value)) return misread(at, value, 'a path or an object');
  const fields = fieldsOf(value, at);
  const path = fields.need(filled, 'path', 'filePath', 'name');
  if (!path.ok) return path;
  const flagged = fields.take(flag, 'directory', 'isDirectory', 'isDir');
  const kind = fields.take(fileKind, 'type', 'kind');
  const record = {
    ...fileRecord(path.value, flagged ?? kind === 'directory'),
    size: fields.take(amount, 'size', 'bytes'),
    modifiedAt: fields.take(text, 'modifiedAt', 'modified', 'lastModified', 'updatedAt', 'mtime'),
  };
  return decoded({ value: record, unknown: fields.unknown() });
}

/** A path that ends in a slash is a directory's, and its name is the part before. */
function fileRecord(path: string, directory: boolean): FileRecord {
  const slashed = path.length > 1 && path.endsWith('/');
  const bare = slashed ? path.slice(0, -1) : path;
  return slashed || directory ? { path: bare, directory: true } : { path: bare };
}

/** Other kinds (a link, a media type) are not ours to translate and stay visible as unknown. */
const fileKind: Kind<'file' | 'directory'> = {
  expected: 'a kind of file',
  read(value) {
    if (value === 'directory' || value === 'dir' || value === 'folder') return 'directory';
    return value === 'file' ? 'file' : undefined;
  },
};

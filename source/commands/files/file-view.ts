/** The printed form of files. */
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { FileRecord } from '../../contract/files.ts';
import { formatBytes } from '../../store/files/file-size.ts';
import { ageSince } from '../../store/time/age.ts';
import { recordJson, type RecordView } from '../output/record-view.ts';

type Read = DecodedRecord<FileRecord>;

/** Returns the path; that of a folder ends with a slash. */
function shownPath({ value: { path, directory } }: Read): string {
  return directory === true ? `${path}/` : path;
}

/** Files as `files list` prints them. */
export const fileView: RecordView<Read> = {
  columns: [
    { title: 'PATH', value: shownPath },
    {
      title: 'SIZE',
      value: ({ value: { size } }) => (size === undefined ? undefined : String(size)),
      shown: ({ value: { size } }) => (size === undefined ? undefined : formatBytes(size)),
      align: 'right',
      isOptional: true,
    },
    {
      title: 'MODIFIED',
      value: ({ value }) => value.modifiedAt,
      shown: ({ value }, now) => ageSince(value.modifiedAt, now),
      isOptional: true,
    },
  ],
  fields: ['path', 'size', 'modifiedAt', 'directory'],
  json: recordJson,
  id: shownPath,
};

/** Returns the files at a path and below it, in the order of their paths; all for an empty path. */
export function filesUnder(files: readonly Read[], path: string): readonly Read[] {
  const folder = path.replace(/\/+$/, '');
  const found = files.filter(
    ({ value }) => folder === '' || value.path === folder || value.path.startsWith(`${folder}/`),
  );
  const keys = new Map(found.map((file) => [file, orderKey(file.value.path)]));
  return found.toSorted((left, right) =>
    (keys.get(left) ?? '') < (keys.get(right) ?? '') ? -1 : 1,
  );
}

/** Returns a key that sorts the files of a folder together, before names that begin with its name. */
function orderKey(path: string): string {
  return path.replaceAll('/', '\0');
}

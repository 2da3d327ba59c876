import type { FilesClient } from '../../client/files.ts';
import { isExactFilename } from '../../contract/exact-filename.ts';
import { describeWrite, type RecordWrite } from '../history/record-writes.ts';

/** Returns a client that records each write; `nameOf` returns the current name of a deployment. */
export function recordFileWrites(
  files: FilesClient,
  record: RecordWrite,
  nameOf: (id: string) => string,
): FilesClient {
  const place = (id: string, service: string) => `${nameOf(id)}/${service}`;
  return {
    ...files,
    update: (id, name, path, content) =>
      record(
        describeWrite(
          'updateFile',
          `${place(id, name)} ${path}`,
          { id, name, path },
          Buffer.byteLength(content),
        ),
        () => files.update(id, name, path, content),
      ),
    rename: (id, name, oldPath, newPath) =>
      record(
        describeWrite('renameFile', `${place(id, name)} ${oldPath} to ${newPath}`, { id, name }),
        () => files.rename(id, name, oldPath, newPath),
      ),
    delete: (id, name, path) =>
      record(describeWrite('deleteFile', `${place(id, name)} ${path}`, { id, name, path }), () =>
        files.delete(id, name, path),
      ),
    upload(id, name, parts, options) {
      const [first] = parts;
      const subject = parts.length === 1 ? (first?.path ?? '') : `${parts.length} files`;
      let size = 0;
      const onProgress = (sent: number): void => {
        size = sent;
        options?.onProgress?.(sent);
      };
      const isUpdate = first !== undefined && parts.length === 1 && !isExactFilename(first.path);
      const request = isUpdate
        ? describeWrite('updateFile', `${place(id, name)} ${subject}`, {
            id,
            name,
            path: first.path,
          })
        : describeWrite('uploadFiles', `${place(id, name)} ${subject}`, { id, name });
      return record(
        request,
        () => files.upload(id, name, parts, { ...options, onProgress }),
        () => ({ size }),
      );
    },
  };
}

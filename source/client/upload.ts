import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FormData } from 'undici';
import { uploadField } from '../contract/routes.ts';
import { chunksOf } from './chunks.ts';
import type { UploadPart } from './client.ts';

/** A multipart body that is read from disk while it is sent. */
interface Upload {
  readonly form: FormData;
  /** Bytes of the files' contents, without what multipart adds. */
  readonly size: number;
}

export type OpenedUpload =
  | { readonly ok: true; readonly value: Upload }
  | { readonly ok: false; readonly path: string; readonly reason: string };

/**
 * Opens the parts of an upload: the field `files`, once for each part, the path as its filename
 * (contract, part 4). Files are read piece by piece as the socket takes them, their sizes known
 * beforehand. Quotes and line breaks in a path are percent-encoded, as the HTML standard says for
 * multipart/form-data.
 */
export async function openUpload(parts: readonly UploadPart[]): Promise<OpenedUpload> {
  const undici = await import('undici');
  const form = new undici.FormData();
  let size = 0;
  for (const { path, source } of parts) {
    try {
      const blob =
        'file' in source
          ? await openFile(source.file)
          : new Blob([...chunksOf(copyOf(source.bytes))]);
      size += blob.size;
      form.append(uploadField, blob, path);
    } catch (error) {
      return { ok: false, path, reason: reasonOf(error) };
    }
  }
  return { ok: true, value: { form, size } };
}

async function openFile(file: string): Promise<Blob> {
  const found = await stat(file);
  if (!found.isFile()) throw new Error('it is no regular file');
  return openAsBlob(file);
}

/** A Blob takes no view of memory that may be shared. */
function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
};

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code ?? ''] ?? message;
}

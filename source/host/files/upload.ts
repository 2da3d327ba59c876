import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { HostLimits } from '../server/limits.ts';
import { invalidField, Refusal, tooLarge, tooManyParts, badRequest } from '../refusal.ts';
import { parsePath } from './confine.ts';
import { PartHeads } from './part-heads.ts';
import type { ReceivedFile } from './placing.ts';
import { UploadStore } from './upload-store.ts';

/** Limits of form fields beside the files; the host ignores them, but the parser buffers them. */
const maxOtherFields = 100;
const maxOtherFieldBytes = 64 * 1024;

const notMultipart = 'The upload is not valid multipart/form-data (RFC 7578).';

/**
 * Streams the files of a multipart request into a folder, each with a random name. Small files are
 * written in batches, so that a request with too many parts is refused before they are written.
 * Throws at the first part that the host can't accept; the caller must then remove the folder.
 */
export async function receiveUpload(
  request: FastifyRequest,
  options: { readonly folder: string; readonly field: string; readonly limits: HostLimits },
): Promise<readonly ReceivedFile[]> {
  if (!request.isMultipart()) throw badRequest('Upload files as multipart/form-data.');
  const { folder, field, limits } = options;
  const heads = PartHeads.forContentType(request.headers['content-type']);
  if (heads === undefined) throw badRequest(notMultipart);
  const readHeads = (chunk: Buffer) => {
    heads.push(chunk);
  };
  const assertParts = () => {
    if (heads.complete > limits.maxUploadParts) throw tooManyParts();
    if (heads.refusal !== undefined) throw heads.refusal;
  };
  const store = new UploadStore(folder, assertParts);
  try {
    // The parser would not notice a request that was destroyed before it started.
    if (request.raw.destroyed) throw badRequest('The upload was interrupted.');
    request.raw.on('data', readHeads);
    const parts = request.parts({
      preservePath: true,
      limits: {
        fileSize: limits.maxUploadPartBytes,
        parts: limits.maxUploadParts,
        fields: maxOtherFields,
        fieldSize: maxOtherFieldBytes,
      },
    });
    let index = 0;
    for await (const part of parts) {
      assertParts();
      const path = heads.filename(index);
      index += 1;
      if (part.type === 'file') await receiveFile(part, path, { field, store });
      else if (part.fieldname === field) throw invalidField(field, 'parts with a filename');
    }
    if (!heads.isClosed) throw badRequest(notMultipart);
    const arrived = await store.files();
    if (arrived.length === 0) throw invalidField(field, 'at least one file');
    return arrived;
  } catch (error) {
    if (error instanceof Refusal || (error instanceof Error && 'code' in error)) throw error;
    // The parser's own errors carry no code.
    throw badRequest(notMultipart);
  } finally {
    // The rest of the body is read and dropped. Otherwise the client would not read the answer, and
    // the connection could not go on to its next request.
    request.raw.off('data', readHeads);
    request.raw.unpipe();
    request.raw.resume();
  }
}

async function receiveFile(
  part: MultipartFile,
  path: string | undefined,
  { field, store }: { readonly field: string; readonly store: UploadStore },
): Promise<void> {
  if (part.fieldname !== field) {
    throw invalidField('fieldname', `every file in the form field ${field}`);
  }
  // A part of type application/octet-stream is a file without a name, too.
  if (path === undefined) throw invalidField(field, 'parts with a filename');
  parsePath(path, 'filename');
  part.file.once('limit', () => {
    part.file.destroy(tooLarge(`${path} exceeds this host's size limit.`));
  });
  await store.receive(path, part.file);
}

import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { HostLimits } from '../server/limits.ts';
import { invalidField, Refusal, tooLarge, tooManyParts, badRequest } from '../refusal.ts';
import { confinedSegments } from './confine.ts';
import { PartCount } from './part-count.ts';
import type { ArrivedFile } from './placing.ts';
import { UploadStore } from './upload-store.ts';

/** Fields beside the files are of no use here, but the parser keeps them to the end. */
const otherFields = 100;
const otherFieldBytes = 64 * 1024;

/**
 * Streams the files of a multipart request into a folder, each under a name of its own. Small files
 * are stored once many of them, or the end, have come: a request of too many parts is refused
 * before that. Throws at the first part that cannot be accepted; the caller then throws the folder
 * away.
 */
export async function receiveUpload(
  request: FastifyRequest,
  options: { readonly folder: string; readonly field: string; readonly limits: HostLimits },
): Promise<readonly ArrivedFile[]> {
  if (!request.isMultipart()) throw badRequest('Upload files as multipart/form-data.');
  const { folder, field, limits } = options;
  const count = PartCount.of(request.headers['content-type']);
  const countIn = (chunk: Buffer) => {
    count?.take(chunk);
  };
  const assertFew = () => {
    if ((count?.complete ?? 0) > limits.maxUploadParts) throw tooManyParts();
  };
  const store = new UploadStore(folder, assertFew);
  try {
    // The parser learns only from then on that nothing comes any more.
    if (request.raw.destroyed) throw badRequest('The upload broke off.');
    request.raw.on('data', countIn);
    const parts = request.parts({
      preservePath: true,
      limits: {
        fileSize: limits.maxUploadPartBytes,
        parts: limits.maxUploadParts,
        fields: otherFields,
        fieldSize: otherFieldBytes,
      },
    });
    for await (const part of parts) {
      assertFew();
      if (part.type === 'file') await receiveFile(part, field, store);
      else if (part.fieldname === field) throw invalidField(field, 'parts with a filename');
    }
    const arrived = await store.files();
    if (arrived.length === 0) throw invalidField(field, 'at least one file');
    return arrived;
  } catch (error) {
    if (error instanceof Refusal || (error instanceof Error && 'code' in error)) throw error;
    // The parser's own errors carry no code.
    throw badRequest('The upload is not multipart/form-data as RFC 7578 has it.');
  } finally {
    // What still comes, behind a refused part or the end of all, is read over: else neither the
    // client gets to reading the answer, nor the connection to its next request or its end.
    request.raw.off('data', countIn);
    request.raw.unpipe();
    request.raw.resume();
  }
}

async function receiveFile(part: MultipartFile, field: string, store: UploadStore): Promise<void> {
  if (part.fieldname !== field) {
    throw invalidField('fieldname', `every file in the form field ${field}`);
  }
  // The type promises a name, which a part of type application/octet-stream may lack.
  const filename: string | undefined = part.filename;
  if (filename === undefined) throw invalidField(field, 'parts with a filename');
  const path = decodeFilename(filename);
  confinedSegments(path, 'filename');
  part.file.once('limit', () => {
    part.file.destroy(tooLarge(`${path} is larger than this host takes.`));
  });
  await store.take(path, part.file);
}

/** Senders write quotes and line breaks in a filename this way (WHATWG HTML, "multipart form data"). */
function decodeFilename(filename: string): string {
  return filename.replace(/%(?:22|0[AD])/gi, decodeURIComponent);
}

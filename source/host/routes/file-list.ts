import { Readable } from 'node:stream';
import type { StagedFile } from '../files/staged-file.ts';

/** Minimum length of a streamed chunk; a shorter response is sent as a whole. */
const chunkLength = 64 * 1024;

/**
 * Returns the response of "list files" as JSON text, or as a stream when it is long. Rejects on an
 * error before the first chunk is complete; a later error aborts the stream.
 */
export async function encodeFileList(
  batches: AsyncGenerator<readonly StagedFile[]>,
): Promise<string | Readable> {
  const chunks = chunksOf(batches);
  const first = await chunks.next();
  const start = first.value ?? '';
  if (start.length < chunkLength) return start;
  const stream = Readable.from(join(start, chunks), { objectMode: false });
  // End the listing with the stream, to close the folders that it has open.
  stream.once('close', () => {
    void chunks.return(undefined);
  });
  return stream;
}

async function* join(start: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

async function* chunksOf(batches: AsyncGenerator<readonly StagedFile[]>): AsyncGenerator<string> {
  let chunk = '{"success":true,"files":[';
  let separator = '';
  for await (const batch of batches) {
    for (const record of batch) {
      chunk += separator + JSON.stringify(record);
      separator = ',';
    }
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  yield `${chunk}]}`;
}

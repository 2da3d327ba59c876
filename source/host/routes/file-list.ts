import { Readable } from 'node:stream';
import type { StagedFile } from '../files/staged-file.ts';

/** A shorter answer goes out in one piece. */
const pieceBytes = 64 * 1024;

/**
 * The answer of "list files" as JSON: text, or a stream of it when it is long. What fails before
 * the first piece is there is thrown; what fails later breaks the answer off.
 */
export async function listAnswer(
  batches: AsyncGenerator<readonly StagedFile[]>,
): Promise<string | Readable> {
  const pieces = piecesOf(batches);
  const first = await pieces.next();
  const start = first.value ?? '';
  if (start.length < pieceBytes) return start;
  const stream = Readable.from(join(start, pieces), { objectMode: false });
  // Folders are open as long as the listing goes on.
  stream.once('close', () => {
    void pieces.return(undefined);
  });
  return stream;
}

async function* join(start: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

async function* piecesOf(batches: AsyncGenerator<readonly StagedFile[]>): AsyncGenerator<string> {
  let piece = '{"success":true,"files":[';
  let separator = '';
  for await (const batch of batches) {
    for (const record of batch) {
      piece += separator + JSON.stringify(record);
      separator = ',';
    }
    if (piece.length < pieceBytes) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}]}`;
}

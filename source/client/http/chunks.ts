/**
 * Bytes written to a socket at a time. The answer timeout starts when the last chunk is handed over,
 * so a body in one piece would time out on a slow link while it is still being sent.
 */
const chunkSize = 64 * 1024;

/** Splits a request body into chunks of at most 64 KiB. */
export function splitChunks<T extends Uint8Array>(bytes: T): readonly T[] {
  const count = Math.ceil(bytes.length / chunkSize);
  return Array.from(
    { length: count },
    (_, index) => bytes.subarray(index * chunkSize, (index + 1) * chunkSize) as T,
  );
}

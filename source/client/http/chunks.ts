/**
 * Bytes that are handed to a socket at a time. The answer's timeout begins when the last of a body is
 * handed over, so a body in one piece would be given up on a slow link while it is still on its way.
 */
const chunkSize = 64 * 1024;

/** The bytes in pieces that a socket takes one by one. */
export function chunksOf<T extends Uint8Array>(bytes: T): readonly T[] {
  const count = Math.ceil(bytes.length / chunkSize);
  return Array.from(
    { length: count },
    (_, index) => bytes.subarray(index * chunkSize, (index + 1) * chunkSize) as T,
  );
}

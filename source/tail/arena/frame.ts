import type { LogLine } from '../../contract/logs.ts';

const encoder = new TextEncoder();

/**
 * Encodes a line as a message of the stream. Decoding returns the same line: the id keeps all its
 * digits, which JSON.stringify would round.
 */
export function encodeFrame({ id, ...rest }: LogLine): Uint8Array {
  const text = JSON.stringify({ type: 'log', ...rest });
  const written = typeof id === 'string' ? JSON.stringify(id) : id;
  return encoder.encode(id === undefined ? text : `{"id":${written},${text.slice(1)}`);
}

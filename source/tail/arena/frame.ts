import type { LogLine } from '../../contract/logs.ts';

const encoder = new TextEncoder();

/**
 * A line as a message of the stream, with the fields it has. Read as one it is the same line again;
 * the id keeps its digits, which JSON.stringify would not.
 */
export function frameOf({ id, ...rest }: LogLine): Uint8Array {
  const text = JSON.stringify({ type: 'log', ...rest });
  return encoder.encode(id === undefined ? text : `{"id":${id},${text.slice(1)}`);
}

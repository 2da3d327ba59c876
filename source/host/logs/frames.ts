import { type LogRun, messageTemplate, messageJson } from './run.ts';

interface Part {
  readonly text: string;
  readonly encoding: 'latin1' | 'utf8';
  readonly bytes: number;
}

/**
 * Encodes the lines of one deployment's runs as consecutive WebSocket text frames, one per line
 * (RFC 6455, section 5.2). A server's frames are unmasked and so the same for all clients: they are
 * encoded once, outside of the thread that sends them.
 */
export function encodeFrames(
  deploymentId: string,
  runs: readonly LogRun[],
): Uint8Array<ArrayBuffer> {
  const parts = runs.flatMap((run) => encodeParts(deploymentId, run));
  // An ArrayBuffer of its own, so that it can be transferred to another thread.
  const frames = Buffer.from(new ArrayBuffer(parts.reduce((sum, { bytes }) => sum + bytes, 0)));
  let offset = 0;
  for (const { text, encoding } of parts) offset += frames.write(text, offset, encoding);
  return frames;
}

function encodeParts(deploymentId: string, run: LogRun): readonly Part[] {
  const form = messageTemplate(deploymentId, run);
  const messages = run.text
    .split('\n')
    .map((line, index) => messageJson(form, run.first + index, line));
  const bytes = messages.map((message) => Buffer.byteLength(message));
  if (messages.every((message, index) => message.length === bytes[index])) {
    // All ASCII: heads and messages are written as one string.
    const text = messages.map((message) => frameHead(message.length) + message).join('');
    return [{ text, encoding: 'latin1', bytes: text.length }];
  }
  return messages.flatMap((text, index): Part[] => {
    const head = frameHead(bytes[index] ?? 0);
    return [
      { text: head, encoding: 'latin1', bytes: head.length },
      { text, encoding: 'utf8', bytes: bytes[index] ?? 0 },
    ];
  });
}

/** Returns the head of a final, unmasked text frame; each character is a byte. */
function frameHead(bytes: number): string {
  if (bytes < 126) return `\x81${String.fromCharCode(bytes)}`;
  if (bytes < 0x1_0000) return `\x81\x7e${String.fromCharCode(bytes >> 8, bytes & 0xff)}`;
  const length = [24, 16, 8, 0].map((shift) => (bytes >>> shift) & 0xff);
  return `\x81\x7f\0\0\0\0${String.fromCharCode(...length)}`;
}

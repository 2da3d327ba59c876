import { type LogRun, messageForm, messageJson } from './run.ts';

interface Part {
  readonly text: string;
  readonly encoding: 'latin1' | 'utf8';
  readonly bytes: number;
}

/**
 * The lines of runs of one deployment as WebSocket text frames, one a line, one behind the other
 * (RFC 6455, section 5.2). A server's frames are the same for all of its clients: they are made
 * once, away from the thread that sends them.
 */
export function framesOf(deploymentId: string, runs: readonly LogRun[]): Uint8Array<ArrayBuffer> {
  const parts = runs.flatMap((run) => partsOf(deploymentId, run));
  // A memory of its own, so that it can be handed to another thread.
  const frames = Buffer.from(new ArrayBuffer(parts.reduce((sum, { bytes }) => sum + bytes, 0)));
  let at = 0;
  for (const { text, encoding } of parts) at += frames.write(text, at, encoding);
  return frames;
}

function partsOf(deploymentId: string, run: LogRun): readonly Part[] {
  const form = messageForm(deploymentId, run);
  const messages = run.text
    .split('\n')
    .map((line, index) => messageJson(form, run.first + index, line));
  const bytes = messages.map((message) => Buffer.byteLength(message));
  if (messages.every((message, index) => message.length === bytes[index])) {
    // Where each character is a byte, heads and messages are written at once.
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

/** The head of a final, unmasked text frame, each character a byte. */
function frameHead(bytes: number): string {
  if (bytes < 126) return `\x81${String.fromCharCode(bytes)}`;
  if (bytes < 0x1_0000) return `\x81\x7e${String.fromCharCode(bytes >> 8, bytes & 0xff)}`;
  const length = [24, 16, 8, 0].map((shift) => (bytes >>> shift) & 0xff);
  return `\x81\x7f\0\0\0\0${String.fromCharCode(...length)}`;
}

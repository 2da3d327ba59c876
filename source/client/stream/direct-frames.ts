/** Takes the messages of a WebSocket from its socket, past `ws`. */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { LogFrames } from '../../contract/logs.ts';
import { WebSocketFrameReader } from './frame-reader.ts';
import type { StreamSocket } from './stream-socket.ts';

export interface DirectFramesOptions extends Pick<StreamSocket, 'setReader'> {
  /** Bytes of the largest accepted message; `ws` rejects larger ones. */
  readonly maxFrame: number;
  /** Receives messages of one frame; the bytes are valid until it returns. */
  readonly onFrames: (frames: LogFrames) => void;
  /** Called after each read with the number of its bytes. */
  readonly onRead: (bytes: number) => void;
}

/** A pong without payload, which `ws` answers with an event alone (RFC 6455, 5.5.3). */
const pong = Buffer.of(0x8a, 0);

/**
 * Reads plain frames directly from the socket of a WebSocket that has just opened, because `ws`
 * emits an event for each; `ws` gets all other bytes. Measured by `npm run bench -- tail-intake`: 830
 * thousand lines of 200 bytes a second, in place of 200 thousand with `ws` alone; for lines of 4 KiB
 * some 10 % more.
 *
 * This takes away the listener by which `ws` reads, so it first tries whether that listener parses
 * frames at once.
 * @returns false, with nothing changed, where `ws` reads in another way; `ws` then emits every message.
 */
export function readFramesDirectly(
  webSocket: WebSocket,
  socket: Duplex,
  { maxFrame, onFrames, onRead, setReader }: DirectFramesOptions,
): boolean {
  const [listener, ...others] = socket.listeners('data');
  if (listener === undefined || others.length > 0 || socket.listenerCount('readable') > 0) {
    return false;
  }
  const pass = (bytes: NonSharedBuffer): void => {
    listener.call(socket, bytes);
  };
  if (!parsesAtOnce(webSocket, pass)) return false;

  let hasFailed = false;
  webSocket.once('error', () => {
    hasFailed = true;
  });
  socket.removeAllListeners('data');
  const reader = new WebSocketFrameReader({
    maxFrame,
    onFrames(frames) {
      if (!hasFailed) onFrames(frames);
    },
    onOtherBytes(bytes) {
      // `ws` may keep a reference to the bytes.
      if (!hasFailed) pass(Buffer.from(bytes));
    },
  });
  const take = (chunk: NonSharedBuffer, room = 0): void => {
    const { length } = chunk;
    reader.read(chunk, room);
    onRead(length);
  };
  socket.on('data', (chunk: NonSharedBuffer) => take(chunk));
  setReader(take);
  // This listener must precede the one of `ws`, which would parse the buffered bytes of a paused
  // socket as the start of a frame.
  socket.prependListener('close', () => {
    const rest = socket.read() as NonSharedBuffer | null;
    if (rest !== null) reader.read(rest);
  });
  return true;
}

/** Returns true if the WebSocket emits a pong while it is passed to the listener of `ws`. */
function parsesAtOnce(webSocket: WebSocket, pass: (bytes: NonSharedBuffer) => void): boolean {
  let isParsed = false;
  const onPong = (): void => {
    isParsed = true;
  };
  webSocket.on('pong', onPong);
  pass(pong);
  webSocket.off('pong', onPong);
  return isParsed;
}

import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';

interface Follower {
  /** What the WebSocket goes over. */
  readonly raw: Socket;
  /** Since the last ping. */
  hasAnswered: boolean;
  /** That ping had to wait for lines before it. */
  wasBehind: boolean;
  /** Bytes that the system had taken by then of all that was sent. */
  taken: number;
}

/** The open log streams, each of which has someone at its other end. */
export class Followers {
  readonly #all = new Map<WebSocket, Follower>();

  /** Watches a stream until it is closed. */
  add(socket: WebSocket, raw: Socket): void {
    const follower = { raw, hasAnswered: true, wasBehind: false, taken: 0 };
    this.#all.set(socket, follower);
    socket.on('pong', () => {
      follower.hasAnswered = true;
    });
    socket.on('close', () => {
      this.#all.delete(socket);
    });
  }

  /** Pings all of them, and ends the streams of those who have not answered the last time. */
  ping(): void {
    for (const [socket, follower] of this.#all) {
      const { raw } = follower;
      const taken = raw.bytesWritten - raw.writableLength;
      // Whoever still takes the lines before a ping has not come to it yet. A peer that vanished
      // without a word takes none, and answers no ping of the protocol either.
      const isReading = follower.wasBehind && taken > follower.taken;
      if (!follower.hasAnswered && !isReading) socket.terminate();
      follower.hasAnswered = false;
      follower.wasBehind = raw.writableLength > 0;
      follower.taken = taken;
      socket.ping();
      socket.send('{"type":"ping"}');
    }
  }
}

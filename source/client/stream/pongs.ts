/** Answers the pings of a service. */

export interface Pongs {
  /** Answers a ping with its payload, at once or after the pong that is being written. */
  answer(payload: Buffer): void;
}

/**
 * Creates the answers of one connection. While a pong is being written, only the newest ping is kept, which
 * answers those before it as well (RFC 6455, 5.5.3). `ws` answers each, and ends a connection that has brought
 * more pings than it may have unanswered: those of a flood, or of the minutes in which nothing was read.
 * @param send writes a pong, and calls `done` once it is written or can't be.
 */
export function createPongs(send: (payload: Buffer, done: () => void) => void): Pongs {
  let isWriting = false;
  let newest: Buffer | undefined;

  const next = (): void => {
    isWriting = newest !== undefined;
    if (newest === undefined) return;
    const payload = newest;
    newest = undefined;
    send(payload, next);
  };

  return {
    answer(payload) {
      newest = payload;
      if (!isWriting) next();
    },
  };
}

/** A client that follows the lines of a deployment. */
export interface Subscriber {
  /** Sends complete WebSocket frames, each a contract message as JSON. */
  send(frames: Uint8Array): void;
  /** Returns the number of bytes passed to `send` that are not sent yet. */
  backlog(): number;
  /** Ends the subscription because of a long backlog. No call follows. */
  drop(): void;
  /** Ends the subscription because the log is complete. No call follows. */
  end(): void;
}

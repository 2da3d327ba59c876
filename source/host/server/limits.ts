const mebibyte = 1024 * 1024;

/** Limits on the resources that callers can use. */
export interface HostLimits {
  /** UTF-8 bytes of the content in one "update file" request. */
  readonly updateBytes: number;
  /** Bytes of one part of an upload. */
  readonly uploadPartBytes: number;
  /** Parts of one upload. */
  readonly uploadParts: number;
  /** Bytes of a file sent as JSON; a larger file is sent raw only. */
  readonly jsonFileBytes: number;
  /** Bytes of any other JSON body, SDLs included. */
  readonly bodyBytes: number;
  /** Lines in one "fetch logs" response. */
  readonly fetchedLines: number;
  /** Bytes of stored log text of one deployment; the oldest lines are dropped first. */
  readonly logBytes: number;
  /** Bytes buffered for one subscriber of a log stream before it is disconnected. */
  readonly streamBacklogBytes: number;
  /** Open log streams of one wallet, over all addresses that the host listens on. */
  readonly streamsPerWallet: number;
  /** Unknown tokens per minute from one address. */
  readonly wrongTokens: number;
  /** Instances of one deployment. */
  readonly instances: number;
  /** Concurrent connections, including streams. */
  readonly connections: number;
  /** Milliseconds for the TLS handshake, and for the headers of a request. */
  readonly headersMs: number;
  /** Milliseconds in which at least `bodyWindowBytes` of a request body must arrive. */
  readonly bodyWindowMs: number;
  /** Bytes of a request body that must arrive within `bodyWindowMs`. */
  readonly bodyWindowBytes: number;
  /** Milliseconds without progress after which an unread response is aborted. */
  readonly answerIdleMs: number;
}

export const defaultHostLimits: HostLimits = {
  updateBytes: 10 * mebibyte,
  uploadPartBytes: 512 * mebibyte,
  uploadParts: 10_000,
  jsonFileBytes: 16 * mebibyte,
  bodyBytes: mebibyte,
  fetchedLines: 10_000,
  logBytes: 128 * mebibyte,
  streamBacklogBytes: 8 * mebibyte,
  streamsPerWallet: 256,
  wrongTokens: 60,
  instances: 100,
  connections: 2048,
  headersMs: 20_000,
  bodyWindowMs: 15_000,
  bodyWindowBytes: 4 * 1024,
  answerIdleMs: 120_000,
};

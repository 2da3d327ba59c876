const mebibyte = 1024 * 1024;

/** Bounds of what one caller can ask of the host. */
export interface HostLimits {
  /** UTF-8 bytes of the content of one "update file". */
  readonly updateBytes: number;
  /** Bytes of one part of an upload. */
  readonly uploadPartBytes: number;
  readonly uploadParts: number;
  /** A larger file is answered raw only. */
  readonly jsonFileBytes: number;
  /** Bytes of any other JSON body, SDLs included. */
  readonly bodyBytes: number;
  /** Lines of one "fetch logs". */
  readonly fetchedLines: number;
  /** Stored log text of one deployment; the oldest lines go first. */
  readonly logBytes: number;
  /** Bytes that wait for one subscriber of a log stream before it is dropped. */
  readonly streamBacklogBytes: number;
  /** Log streams that one wallet may hold open, wherever the host listens. */
  readonly streamsPerWallet: number;
  /** Tokens that are not known here, a minute and address. */
  readonly wrongTokens: number;
  /** Instances that one deployment may ask for. */
  readonly instances: number;
  /** Connections at a time, streams included. */
  readonly connections: number;
  /** Time for the handshake of TLS, and for the head of a request. */
  readonly headersMs: number;
  /** In each window of this long … */
  readonly bodyWindowMs: number;
  /** … at least this much of a body must come. */
  readonly bodyWindowBytes: number;
  /** How long nothing of an answer may be read. */
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

import type { Atoms } from '../../contract/decimal.ts';

const mebibyte = 1024 * 1024;

/** Limits on the resources that callers can use. */
export interface HostLimits {
  /** UTF-8 bytes of the content in one "update file" request. */
  readonly maxUpdateBytes: number;
  /** Bytes of one part of an upload. */
  readonly maxUploadPartBytes: number;
  /** Parts of one upload. */
  readonly maxUploadParts: number;
  /** Bytes of a file sent as JSON; a larger file is sent raw only. */
  readonly maxJsonFileBytes: number;
  /** Bytes of any other JSON body, SDLs included. */
  readonly maxBodyBytes: number;
  /** Lines in one "fetch logs" response. */
  readonly maxFetchedLines: number;
  /** Bytes of stored log text of one deployment; the oldest lines are dropped first. */
  readonly maxLogBytes: number;
  /** Bytes buffered for one subscriber of a log stream before it is disconnected. */
  readonly maxStreamBacklogBytes: number;
  /** Open log streams of one wallet, over all addresses that the host listens on. */
  readonly streamsPerWallet: number;
  /** Bytes of large answers that a wallet's clients have not read; then it gets no further ones. */
  readonly unreadBytesPerWallet: number;
  /** Unknown tokens per minute from one address. */
  readonly wrongTokensPerMinute: number;
  /**
   * Least price of an instance for a block of 6 s, for the definitions of all wallets but the host's
   * own.
   */
  readonly minAmount: Atoms;
  /** Open deployments of one wallet. */
  readonly deploymentsPerWallet: number;
  /** Services of one deployment. */
  readonly servicesPerDeployment: number;
  /** Instances of one deployment. */
  readonly instancesPerDeployment: number;
  /** Processors that the open deployments of one wallet may ask for in sum. */
  readonly cpuPerWallet: number;
  /** Bytes of memory that the open deployments of one wallet may ask for in sum. */
  readonly memoryPerWallet: number;
  /** Bytes of storage that the open deployments of one wallet may ask for in sum. */
  readonly storagePerWallet: number;
  /** Concurrent connections, including streams. */
  readonly maxConnections: number;
  /** Milliseconds for the TLS handshake, and for the headers of a request. */
  readonly headersTimeoutMs: number;
  /** Milliseconds in which at least `minBodyWindowBytes` of a request body must arrive. */
  readonly bodyWindowMs: number;
  /** Bytes of a request body that must arrive within `bodyWindowMs`. */
  readonly minBodyWindowBytes: number;
  /** Milliseconds without progress after which an unread response is aborted. */
  readonly responseIdleTimeoutMs: number;
}

export const defaultHostLimits: HostLimits = {
  maxUpdateBytes: 10 * mebibyte,
  maxUploadPartBytes: 512 * mebibyte,
  maxUploadParts: 10_000,
  maxJsonFileBytes: 16 * mebibyte,
  maxBodyBytes: mebibyte,
  maxFetchedLines: 10_000,
  maxLogBytes: 128 * mebibyte,
  maxStreamBacklogBytes: 8 * mebibyte,
  streamsPerWallet: 256,
  unreadBytesPerWallet: 64 * mebibyte,
  wrongTokensPerMinute: 60,
  minAmount: 10n ** 12n,
  deploymentsPerWallet: 100,
  servicesPerDeployment: 20,
  instancesPerDeployment: 50,
  cpuPerWallet: Number.POSITIVE_INFINITY,
  memoryPerWallet: Number.POSITIVE_INFINITY,
  storagePerWallet: Number.POSITIVE_INFINITY,
  maxConnections: 2048,
  headersTimeoutMs: 20_000,
  bodyWindowMs: 15_000,
  minBodyWindowBytes: 4 * 1024,
  responseIdleTimeoutMs: 120_000,
};

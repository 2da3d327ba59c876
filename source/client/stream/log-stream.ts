/** Opens log streams over WebSockets. */
import type { createConnection, Socket, TcpNetConnectOpts } from 'node:net';
import { WebSocket } from 'ws';
import type { LogFrames } from '../../contract/logs.ts';
import { logStreamPath } from '../../contract/routes.ts';
import type { Endpoint, UsableEndpoint } from '../http/endpoint.ts';
import { createServiceError, type ServiceError } from '../http/errors.ts';
import { readFramesDirectly, splitArrays } from './frame-reader.ts';
import type { Http } from '../http/http.ts';
import { lazyPart } from '../../system/lazy-part.ts';
import type { Limits } from '../http/limits.ts';
import type { Proxy } from '../http/proxy.ts';
import {
  createBrokenStreamError,
  createCloseError,
  createConnectTimeoutError,
  createSubprotocolError,
  createUpgradeError,
  createSilenceError,
} from './log-stream-errors.ts';
import { type ErrorText, readError } from '../http/response.ts';
import { createStreamSocket } from './stream-socket.ts';
import { createTransportError } from '../http/transport-errors.ts';

/** One connection to the log stream. The caller reconnects. */
export interface LogStream {
  /** Stops reading from the socket, so that TCP applies back pressure to the service. */
  pause(): void;
  resume(): void;
  /** Closes without a call to `onClose`. */
  close(): void;
}

export interface LogStreamHandlers {
  /** The upgrade succeeded. */
  onOpen(): void;
  /** A batch of messages in order of arrival, text or binary: log lines and other messages. */
  onFrames(frames: LogFrames): void;
  /** The last call, made once. `error` holds the reason, also for an orderly close. */
  onClose(error: ServiceError): void;
}

/** The way a token is sent when a stream opens. */
export type StreamAuthMode = 'header' | 'subprotocol' | 'query';

export interface LogStreamOptions {
  readonly http: Http;
  readonly endpoint: Endpoint;
  readonly token: string;
  readonly auth: StreamAuthMode;
  readonly limits: Limits;
}

export interface LogStreams {
  open(id: string, handlers: LogStreamHandlers): LogStream;
  /** Closes every open stream and calls its `onClose` with `aborted`. */
  close(): void;
}

/** Creates the log streams of one service. */
export function createLogStreams({ endpoint, ...options }: LogStreamOptions): LogStreams {
  const openStreams = new Set<OpenStream>();
  return {
    open(id, handlers) {
      const target = options.http.targetOf('streamLogs');
      if (!endpoint.ok) {
        return failedStream(
          options,
          handlers,
          createServiceError(target, endpoint.code, endpoint.sentence, endpoint.next),
        );
      }
      if (options.auth === 'subprotocol' && !subprotocolPattern.test(options.token)) {
        return failedStream(options, handlers, createSubprotocolError(target));
      }
      const url = streamUrl(endpoint, id, options.auth === 'query' ? options.token : undefined);
      const stream = openStream(url, handlers, { ...options, proxy: endpoint.proxy }, () =>
        openStreams.delete(stream),
      );
      openStreams.add(stream);
      return stream;
    },
    close() {
      for (const stream of openStreams) stream.abort();
    },
  };
}

const tunnelPart = lazyPart(() => import('../http/tunnel.ts'));

interface StreamRequest extends Omit<LogStreamOptions, 'endpoint'> {
  readonly proxy: Proxy | undefined;
}

interface OpenStream extends LogStream {
  abort(): void;
}

/** Returns a stream that fails without a connection; `onClose` is called asynchronously. */
function failedStream(
  { http }: Pick<LogStreamOptions, 'http'>,
  handlers: LogStreamHandlers,
  error: ServiceError,
): LogStream {
  let isClosed = false;
  queueMicrotask(() => {
    if (!isClosed) handlers.onClose(http.fail(error).error);
  });
  const noop = (): void => {};
  return {
    pause: noop,
    resume: noop,
    close() {
      isClosed = true;
    },
  };
}

function openStream(
  url: URL,
  handlers: LogStreamHandlers,
  { http, token, auth, limits, proxy }: StreamRequest,
  onEnd: () => void,
): OpenStream {
  const target = http.targetOf('streamLogs');
  const sentAt = Date.now();
  let isEnded = false;
  let isPaused = false;
  let heartbeat: Heartbeat | undefined;
  let connection: Socket | undefined;
  let gatherTimer: NodeJS.Timeout | undefined;
  const isSecure = url.protocol === 'wss:';
  const streamSocket = createStreamSocket(isSecure);
  const connectByTunnel =
    proxy &&
    ((
      options: TcpNetConnectOpts,
      connected: (error: Error | null, tunnel?: Socket) => void,
    ): void => {
      void tunnelPart()
        .then(({ openStreamTunnel }) => openStreamTunnel(proxy, options, isSecure, limits))
        .then((tunnel) => connected(null, tunnel), connected);
    });
  const socket = new WebSocket(url, auth === 'subprotocol' ? ['bearer', token] : [], {
    ...socketOptions,
    ...(auth === 'header' ? { headers: { authorization: `Bearer ${token}` } } : {}),
    maxPayload: limits.maxFrame,
    maxHeaderSize: limits.maxHeaders,
    // Node accepts a connector that returns nothing and calls back; its types don't say so.
    createConnection: (connectByTunnel ?? streamSocket.connect) as typeof createConnection,
  });

  const stop = (): boolean => {
    if (isEnded) return false;
    isEnded = true;
    clearTimeout(openTimer);
    clearTimeout(gatherTimer);
    heartbeat?.stop();
    onEnd();
    return true;
  };
  const fail = (error: ServiceError): void => {
    if (!stop()) return;
    socket.terminate();
    handlers.onClose(http.fail(error).error);
  };
  let onOpenTimeout = (): void =>
    fail(createTransportError(target, createConnectTimeoutError(), limits));
  const openTimer = setTimeout(() => onOpenTimeout(), limits.connectTimeout);

  // Bytes that the socket has already read still arrive: some hundred lines at most.
  const readOn = (): void => {
    if (!isEnded && !isPaused) socket.resume();
  };
  const pongs = createPongs((payload, done) => socket.pong(payload, true, done));
  const budget = createReadBudget(limits.streamReadBudget, readOn);
  const pace = createReadPace();

  const attachReader = (from: Socket): void => {
    readFramesDirectly(socket, from, {
      maxFrame: limits.maxFrame,
      setReader: streamSocket.setReader,
      onFrames(frames) {
        if (!isEnded) handlers.onFrames(splitArrays(frames));
      },
      onRead(bytes) {
        if (isEnded) return;
        heartbeat?.recordActivity();
        const wait = pace.waitAfter(bytes, performance.now());
        if (budget.isUsedUp()) socket.pause();
        else if (wait > 0) {
          socket.pause();
          gatherTimer = setTimeout(readOn, wait);
        }
      },
    });
  };

  const pause = (): void => {
    isPaused = true;
    socket.pause();
    heartbeat?.pause();
  };

  socket
    .on('upgrade', (response) => {
      http.observeDate(response.headers.date, sentAt);
      connection = response.socket;
    })
    .on('open', () => {
      clearTimeout(openTimer);
      if (isEnded) return;
      if (connection !== undefined) attachReader(connection);
      heartbeat = createHeartbeat({
        silenceTimeout: limits.streamSilence,
        pongTimeout: limits.pongTimeout,
        ping: () => socket.ping(),
        onDead: () => fail(createSilenceError(target, limits)),
      });
      // A socket ignores a pause while it is connecting.
      if (isPaused) pause();
      handlers.onOpen();
    })
    .on('ping', (payload) => {
      if (!isEnded) pongs.answer(payload);
    })
    .on('pong', () => heartbeat?.recordActivity())
    .on('message', (data) => {
      if (isEnded) return;
      heartbeat?.recordActivity();
      handlers.onFrames(splitArrays(singleFrame(data as Buffer)));
      if (budget.isUsedUp()) socket.pause();
    })
    .on('unexpected-response', (_request, response) => {
      http.observeDate(response.headers.date, sentAt);
      const refuse = (body: ErrorText): void =>
        fail(createUpgradeError(target, url, response, body));
      onOpenTimeout = () => response.destroy();
      void readError(response, response.headers['content-encoding']).then(refuse);
    })
    .on('error', (cause) => {
      const unconnected = heartbeat === undefined && 'code' in cause;
      fail(
        unconnected
          ? createTransportError(target, cause, limits)
          : createBrokenStreamError(target, cause, limits),
      );
    })
    .on('close', (code, reason) => fail(createCloseError(target, url, code, reason.toString())));

  return {
    pause,
    resume() {
      isPaused = false;
      socket.resume();
      if (!isEnded) heartbeat?.resume();
    },
    close() {
      if (stop()) socket.close(1000);
    },
    abort() {
      fail(createTransportError(target, new DOMException('', 'AbortError'), limits));
    },
  };
}

/** Matches a token that is allowed as a subprotocol (RFC 6455, 4.1). */
const subprotocolPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const socketOptions = {
  // Decompression costs more than it saves: 8 thousand instead of 540 thousand lines a second.
  perMessageDeflate: false,
  // Invalid UTF-8 in a frame must not close the connection; it is decoded as U+FFFD.
  skipUTF8Validation: true,
  // `createPongs` answers.
  autoPong: false,
  // Milliseconds for the closing handshake, which must not keep the process alive.
  closeTimeout: 1_000,
};

function streamUrl({ url, prefix }: UsableEndpoint, id: string, token?: string): URL {
  const target = new URL(prefix + logStreamPath, url);
  target.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  target.searchParams.set('deploymentId', id);
  if (token !== undefined) target.searchParams.set('access_token', token);
  return target;
}

const zero = Uint32Array.of(0);

function singleFrame(bytes: Buffer): LogFrames {
  return { bytes, count: 1, starts: zero, ends: Uint32Array.of(bytes.length) };
}

/** Watches a connection for silence. */
interface Heartbeat {
  /** Restarts the silence timer, because bytes have arrived. */
  recordActivity(): void;
  /** Stops watching while the connection is not read. */
  pause(): void;
  resume(): void;
  stop(): void;
}

interface HeartbeatOptions {
  /** Silence in ms after which `ping` is called. */
  readonly silenceTimeout: number;
  /** Further silence in ms after which `dead` is called, once. */
  readonly pongTimeout: number;
  readonly ping: () => void;
  readonly onDead: () => void;
}

/** Creates a heartbeat that starts watching at once. */
function createHeartbeat({
  silenceTimeout,
  pongTimeout,
  ping,
  onDead,
}: HeartbeatOptions): Heartbeat {
  let isPinged = false;
  let timer: NodeJS.Timeout | undefined;

  const wait = (): void => {
    isPinged = false;
    timer = setTimeout(() => {
      isPinged = true;
      ping();
      timer = setTimeout(onDead, pongTimeout);
    }, silenceTimeout);
  };
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };

  wait();
  return {
    recordActivity() {
      if (timer === undefined) return;
      // Refreshing the timer is far cheaper than creating one, and a flood calls this often.
      if (!isPinged) timer.refresh();
      else {
        stop();
        wait();
      }
    },
    pause: stop,
    resume() {
      if (timer === undefined) wait();
    },
    stop,
  };
}

/** Answers the pings of a service. */

interface Pongs {
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

/** Limits the time that reading may use in one turn of the event loop. */
interface ReadBudget {
  /** Returns true when this turn's budget is used up; it starts with the first call in a turn. */
  isUsedUp(): boolean;
}

/**
 * Creates a budget.
 * @param share milliseconds of one turn.
 * @param next called in the turn after one that used up its budget.
 */
function createReadBudget(share: number, next: () => void): ReadBudget {
  let turnStart: number | undefined;
  let isUsedUp = false;

  function startTurn(): void {
    turnStart = undefined;
    if (!isUsedUp) return;
    isUsedUp = false;
    next();
  }

  return {
    isUsedUp() {
      const now = performance.now();
      if (turnStart === undefined) {
        turnStart = now;
        setImmediate(startTurn);
      }
      isUsedUp ||= now - turnStart >= share;
      return isUsedUp;
    },
  };
}

/** Bytes up to which a read is a piece of a log that others follow at once. */
const smallRead = 16 * 1024;

/** Milliseconds between two reads up to which a stream is busy, and those in which its pieces gather. */
const busyGap = 20;
const gatherTime = 50;

/** Spaces the reads of a stream that brings its bytes in many small pieces. */
interface ReadPace {
  /**
   * Returns the milliseconds to wait before the next read: 0 unless reads are small and follow each
   * other closely.
   * @param bytes of the read, which has just been done at `now` in ms.
   */
  waitAfter(bytes: number, now: number): number;
}

/**
 * Lets the pieces of a busy stream gather in the system's memory. The screen changes less often than
 * they come, and each read wakes the program: 20 reads a second instead of 200 take a quarter less of
 * the processor at 1,000 lines/s (4.5 instead of 6.0 %). Larger reads than 16 KiB are a flood, which
 * must not gather: its lines would come in bursts that hold up the keys.
 */
export function createReadPace(): ReadPace {
  /** Time from which the next read could be done. */
  let readable = Number.NEGATIVE_INFINITY;
  return {
    waitAfter(bytes, now) {
      const isBusy = bytes < smallRead && now - readable < busyGap;
      const wait = isBusy ? gatherTime : 0;
      readable = now + wait;
      return wait;
    },
  };
}

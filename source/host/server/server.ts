import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import websocket from '@fastify/websocket';
import { authenticateCaller, rejectForeignSites, type ServerAddress } from './access.ts';
import { compressAnswer } from './compression.ts';
import type { TlsCertificate } from './exposure.ts';
import { diskHeader, formatLowDisk } from '../../contract/disk-header.ts';
import {
  badRequest,
  errorEnvelope,
  Refusal,
  storageFull,
  tooLarge,
  tooManyParts,
  unavailable,
  unrecorded,
} from '../refusal.ts';
import { addDeploymentRoutes } from '../routes/deployments.ts';
import { addFileRoutes } from '../routes/files.ts';
import { addGrantRoutes } from '../routes/grants.ts';
import { addLogRoutes } from '../routes/logs.ts';
import { addStreamRoute } from '../routes/stream.ts';
import { assertSegments, handleUnrouted } from '../routes/unrouted.ts';
import type { HostService } from '../service.ts';
import { isDiskFull, isWriteFailure } from '../disk-space.ts';
import { operationRoute } from '../routes/endpoint.ts';
import { type HostClock, startInterval } from '../clock.ts';
import type { HostLimits } from './limits.ts';
import { logStreamPath } from '../../contract/routes.ts';
import { createOpenApiDocument, openApiPath } from '../../contract/openapi/document.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's wallet, set on every route below /api. */
    wallet: string;
  }
}

/** Maximum URL length: a path of 3072 bytes, each percent-encoded, and room for the rest. */
const maxUrlBytes = 16 * 1024;

/**
 * Builds an HTTP server with the contract's 15 operations and the log stream, or an HTTPS server
 * when `tls` is given. The server does not listen yet.
 */
export async function buildServer(
  service: HostService,
  address: ServerAddress,
  tls?: TlsCertificate,
): Promise<FastifyInstance> {
  const app = newApp(service, tls);
  limitConnections(app, service);
  // Register the plugin's hook before all others: it marks upgrades, and closes the sockets of
  // upgrades that a later hook refuses.
  await addWebSockets(app, service.clock);
  addHooks(app, service, address);
  // Buffer bodies of any content type: operations without a body ignore it, and those with one
  // parse it as JSON.
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.setErrorHandler<FastifyError>(async (error, { raw }, reply) => {
    // An error caused by an aborted connection is not an internal error.
    const isAborted = raw.destroyed && !raw.complete;
    await sendError(isAborted ? badRequest('The request was aborted.') : error, reply, service);
  });
  app.setNotFoundHandler(handleUnrouted);
  app.decorateRequest('wallet', '');
  await app.register(async (open) => {
    open.addHook('onSend', compressAnswer);
    addOpenApiRoute(open, service.version);
  });
  await app.register(async (api) => {
    api.addHook('onRequest', (request, reply, done) => {
      request.wallet = authenticateCaller(request, service, address);
      assertSegments(request);
      const low = service.space.low();
      if (low !== undefined) reply.header(diskHeader, formatLowDisk(low));
      if (request.method === 'GET') service.answerLimiter.assertRoom(request.wallet);
      done();
    });
    // One hook: a second one costs a request for a file some 4 % of its time. The limiter counts the memory
    // of answers before they are compressed.
    api.addHook('onSend', (request, reply, payload, done) => {
      service.answerLimiter.track(request.wallet, payload, reply.raw);
      compressAnswer(request, reply, payload, done);
    });
    addDeploymentRoutes(api, service);
    await addFileRoutes(api, service);
    addLogRoutes(api, service);
    addStreamRoute(api, service);
    addGrantRoutes(api, service);
  });
  return app;
}

function newApp(service: HostService, tls: TlsCertificate | undefined): FastifyInstance {
  const { clock, limits } = service;
  const http = {
    maxHeaderSize: 2 * maxUrlBytes,
    headersTimeout: limits.headersTimeoutMs,
    connectionsCheckingInterval: Math.min(limits.headersTimeoutMs, 5000),
    // A missing Host header is refused like a wrong one, in our envelope.
    requireHostHeader: false,
    shouldUpgradeCallback: isStreamUpgrade,
  };
  return Fastify({
    bodyLimit: limits.maxBodyBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // Fastify's own 503 response would not be in our envelope.
    return503OnClosing: false,
    ...(tls === undefined
      ? { http }
      : { https: { ...http, ...tls, handshakeTimeout: limits.headersTimeoutMs } }),
    routerOptions: { maxParamLength: maxUrlBytes },
    frameworkErrors(error, _request, reply) {
      void sendError(error, reply, service);
    },
    clientErrorHandler(error, socket) {
      // No response can be sent after a failed TLS handshake.
      if (/^ERR_(?:SSL|TLS)_/.test(error.code)) socket.destroy();
      else sendRawError(socket, protocolRefusal(error.code), formatHttpDate(clock));
    },
  });
}

/** Limits connections and slow request bodies, before and outside the routes. */
function limitConnections({ server }: FastifyInstance, { clock, limits }: HostService): void {
  // Further connections are closed at once.
  server.maxConnections = limits.maxConnections;
  // Unknown expectations are ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response);
  });
  // Listen on the server itself, since some refused requests never reach a route.
  server.on('request', (request, response) => {
    const refuse = () => {
      if (response.headersSent) request.socket.destroy();
      else sendRawError(request.socket, requestTimeout(), formatHttpDate(clock));
    };
    enforceBodyRate(request, response, { clock, limits, refuse });
  });
}

/** Adds the hooks of all requests, as callbacks: each async hook costs a request microseconds. */
function addHooks(
  app: FastifyInstance,
  { clock, limits }: HostService,
  address: ServerAddress,
): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (isClosing) throw unavailable();
    // Clients derive the expiry of grants from the host's clock in this header.
    reply.header('date', formatHttpDate(clock));
    // Two programs may each use a different Host header (RFC 9112, section 3.2).
    if (countHostHeaders(request.raw.rawHeaders) > 1) {
      throw badRequest('The request has more than one Host header. Send one.');
    }
    rejectForeignSites(request, address);
    done();
  });
  app.addHook('onSend', ({ raw: { socket } }, _reply, _payload, done) => {
    // Limits how long a client that does not read the response holds its file open.
    if (socket.timeout !== limits.responseIdleTimeoutMs)
      socket.setTimeout(limits.responseIdleTimeoutMs);
    done();
  });
}

/** Counts the Host headers in a list of alternating names and values. */
function countHostHeaders(headers: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** Sends an error response in the error envelope, whatever was thrown. */
async function sendError(
  error: FastifyError | Refusal,
  reply: FastifyReply,
  service: HostService,
): Promise<void> {
  const refusal = isWriteFailure(error) ? diskRefusal(error, reply) : toRefusal(error);
  if (refusal.status === 500 || (isWriteFailure(error) && !isDiskFull(error))) {
    service.onFailure(error);
  }
  if (refusal.retryAfter !== undefined) reply.header('retry-after', `${refusal.retryAfter}`);
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer');
  await reply.code(refusal.status).send(errorEnvelope(refusal));
}

/** Routes that end something or free space; no state of the disk refuses them. */
const neverRefused = new Set(
  (['closeDeployment', 'restartDeployment', 'deleteFile'] as const)
    .map((operation) => operationRoute(operation))
    .map(({ method, url }) => `${method} ${url}`),
);

function diskRefusal(error: unknown, { request }: FastifyReply): Refusal {
  const { method, url = '' } = request.routeOptions;
  if (neverRefused.has(`${String(method)} ${url}`)) return unrecorded();
  return storageFull(
    isDiskFull(error)
      ? 'The disk of this host is full.'
      : "The disk of this host is full or can't be written.",
  );
}

/** Converts errors of libraries and of the system to refusals with our own messages. */
function toRefusal(error: FastifyError | Refusal): Refusal {
  if (error instanceof Refusal) return error;
  const { code, statusCode = 500 } = error;
  if (code === 'ENAMETOOLONG') return new Refusal(422, 'invalid', 'The path is too long.');
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge('A file of the upload is too large.');
  if (code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT') return tooManyParts();
  if (statusCode === 413) return tooLarge('The body of the request is too large.');
  if (statusCode >= 400 && statusCode < 500) return badRequest('The request cannot be read.');
  return new Refusal(500, 'internal', "Internal error. See the host's output.");
}

/** Milliseconds for a peer to read a response sent before the end of its request. */
const lingerMs = 30_000;

/**
 * Calls `refuse` when a request body arrives more slowly than the limits allow, and disconnects a
 * peer that keeps sending after the response.
 */
function enforceBodyRate(
  request: IncomingMessage,
  response: ServerResponse,
  {
    clock,
    limits,
    refuse,
  }: { readonly clock: HostClock; readonly limits: HostLimits; readonly refuse: () => void },
): void {
  if (!hasBody(request)) return;
  const { socket } = request;
  // Bytes that arrived with the headers count towards the first window.
  let bytesBefore = socket.bytesRead - limits.minBodyWindowBytes;
  const stop = startInterval(clock, limits.bodyWindowMs, () => {
    const bytesNow = socket.bytesRead;
    // Unread input means that the host itself is slow, for example at a disk.
    const isPeerSlow = request.readableLength === 0;
    if (request.complete) stopAll();
    else if (isPeerSlow && bytesNow - bytesBefore < limits.minBodyWindowBytes) refuse();
    bytesBefore = bytesNow;
  });
  let stopLinger = () => {};
  const stopAll = () => {
    stop();
    stopLinger();
  };
  request.once('end', stopAll);
  request.once('close', stopAll);
  response.once('finish', () => {
    if (request.complete) return;
    stopLinger = clock.schedule(lingerMs, () => {
      if (!request.complete) socket.destroy();
    });
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Returns true for a WebSocket upgrade of the log stream. Other upgrades are ignored, and their
 * requests handled as plain HTTP (RFC 9110, section 7.8).
 */
function isStreamUpgrade({ method, url, headers }: IncomingMessage): boolean {
  const [path] = (url ?? '').split('?');
  const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket';
  return isWebSocket && method === 'GET' && path === logStreamPath;
}

/** Adds WebSocket support to the routes of a server. */
async function addWebSockets(app: FastifyInstance, clock: HostClock): Promise<void> {
  await app.register(websocket, {
    options: { maxPayload: 64 * 1024, perMessageDeflate: false },
    // A protocol error or a lost client affects only its own stream.
    errorHandler(_error, socket) {
      socket.terminate();
    },
    preClose(done) {
      for (const socket of app.websocketServer.clients) socket.close(1001, 'the host is stopping');
      app.websocketServer.close();
      done();
    },
  });
  app.addHook('onReady', async () => {
    // The library's own response to an invalid handshake would not be in our envelope.
    app.websocketServer.on('wsClientError', (_error, socket) => {
      const refusal = badRequest('The log stream needs a WebSocket handshake (RFC 6455).');
      sendRawError(socket, refusal, formatHttpDate(clock));
    });
  });
}

let cachedSecond = Number.NaN;
let cachedText = '';

/** Returns the clock's time in the format of a Date header (RFC 9110, section 5.6.7). */
function formatHttpDate(clock: HostClock): string {
  const now = Math.floor(clock.now() / 1000);
  // Cache the text for one second, since every response contains it.
  if (now !== cachedSecond) {
    cachedSecond = now;
    cachedText = new Date(now * 1000).toUTCString();
  }
  return cachedText;
}

/**
 * Milliseconds until a peer that does not close its side is disconnected and loses an unread
 * response. One second was too short for a peer that was still sending on a busy machine.
 */
const socketLingerMs = 5000;

/** Writes an error response to a socket without a parsed request, and ends the connection. */
function sendRawError(socket: Duplex, refusal: Refusal, date: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status } = refusal;
  const body = JSON.stringify(errorEnvelope(refusal));
  socket.on('error', () => undefined);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nDate: ${date}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\nConnection: close\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  // Discard further input: a reset could lose the response before the peer reads it.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), socketLingerMs);
  socket.once('close', () => {
    clearTimeout(timer);
  });
}

/** Returns the response to input that is not a valid request; `code` is the parser's error code. */
function protocolRefusal(code: string): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout();
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Refusal(431, 'bad-request', 'The headers of the request are too large.');
  }
  return new Refusal(400, 'bad-request', 'The request is not valid HTTP.');
}

/** 408: the request arrived more slowly than the limits allow. */
const requestTimeout = () => new Refusal(408, 'too-slow', 'The request arrived too slowly.');

/** Adds the OpenAPI document of the host, which contains no secrets and needs no token. */
function addOpenApiRoute(app: FastifyInstance, version: string): void {
  app.route({
    method: 'GET',
    url: openApiPath,
    handler: async () => createOpenApiDocument(version),
  });
}

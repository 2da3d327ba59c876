import type { IncomingMessage } from 'node:http';
import websocket from '@fastify/websocket';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import { logStreamPath } from '../contract/routes.ts';
import { callerOf, type Reach, refuseForeignSites } from './access.ts';
import type { Tls } from './exposure.ts';
import { httpDate } from './http-date.ts';
import { answerRaw, protocolRefusal, tooSlow } from './raw-answer.ts';
import { errorEnvelope, Refusal, tooLarge, unavailable, unreadable } from './refusal.ts';
import { addDeploymentRoutes } from './routes/deployments.ts';
import { addFileRoutes } from './routes/files.ts';
import { addGrantRoutes } from './routes/grants.ts';
import { addLogRoutes } from './routes/logs.ts';
import { addOpenApiRoute } from './routes/openapi.ts';
import { addStreamRoute } from './routes/stream.ts';
import { answerUnrouted } from './routes/unrouted.ts';
import type { Service } from './service.ts';
import { watchBody } from './slow-bodies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's wallet, on every route below /api. */
    wallet: string;
  }
}

/** SQLite's result code for a disk that takes no more. */
const sqliteFull = 13;

/** Longest URL: a path of 3072 bytes, each percent-encoded, and room for the rest. */
const urlBytes = 16 * 1024;

/**
 * The contract's 15 operations and the log stream as an HTTP server that does not listen yet; as an
 * HTTPS server with a certificate.
 */
export async function buildServer(
  service: Service,
  reach: Reach,
  tls?: Tls,
): Promise<FastifyInstance> {
  const { clock, limits } = service;
  const http = {
    maxHeaderSize: 2 * urlBytes,
    headersTimeout: limits.headersMs,
    connectionsCheckingInterval: Math.min(limits.headersMs, 5000),
    // Without one it is refused like a wrong one, in our envelope.
    requireHostHeader: false,
    shouldUpgradeCallback: isStreamUpgrade,
  };
  const app: FastifyInstance = Fastify({
    bodyLimit: limits.bodyBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // Its answer would not be in our envelope.
    return503OnClosing: false,
    ...(tls === undefined
      ? { http }
      : { https: { ...http, ...tls, handshakeTimeout: limits.headersMs } }),
    routerOptions: { maxParamLength: urlBytes },
    frameworkErrors(error, _request, reply) {
      void answerError(error, reply, service);
    },
    clientErrorHandler(error, socket) {
      // What failed before it could be encrypted has nobody to answer to.
      if (/^ERR_(?:SSL|TLS)_/.test(error.code)) socket.destroy();
      else answerRaw(socket, protocolRefusal(error.code), httpDate(clock));
    },
  });
  // Beyond this many, connections are closed at once.
  app.server.maxConnections = limits.connections;
  // Expectations that nobody knows are ignored (RFC 9110, section 10.1.1).
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  // Beside the routes, since some of what is refused never gets to one.
  app.server.on('request', (request, response) => {
    const refuse = () => {
      if (response.headersSent) request.socket.destroy();
      else answerRaw(request.socket, tooSlow(), httpDate(clock));
    };
    watchBody(request, response, { clock, limits, refuse });
  });
  // First of all hooks is the plugin's own, which marks upgrades: it ends the sockets of those that
  // are refused, by whichever hook.
  await app.register(websocket, {
    options: { maxPayload: 64 * 1024, perMessageDeflate: false },
    // A client that breaks the protocol or vanishes concerns nobody but its own stream.
    errorHandler(_error, socket) {
      socket.terminate();
    },
    preClose(done) {
      for (const socket of app.websocketServer.clients) socket.close(1001, 'the host ends');
      app.websocketServer.close();
      done();
    },
  });
  app.addHook('onReady', async () => {
    // What the library finds wrong with a handshake would not be told in our envelope.
    app.websocketServer.on('wsClientError', (_error, socket) => {
      const refusal = unreadable('The log stream is a WebSocket as RFC 6455 has it.');
      answerRaw(socket, refusal, httpDate(clock));
    });
  });
  // Bodies are taken as they come: an operation without a body ignores whatever is sent along,
  // one with a body reads it as JSON whatever its type is said to be.
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });

  app.decorateRequest('wallet', '');
  let isEnding = false;
  app.addHook('preClose', async () => {
    isEnding = true;
  });
  // These are no async functions, as each of those would cost every request some microseconds.
  app.addHook('onRequest', (request, reply, done) => {
    if (isEnding) throw unavailable();
    // Grants expire by the host's clock, which clients learn from here.
    reply.header('date', httpDate(clock));
    refuseForeignSites(request, reach);
    done();
  });
  app.addHook('onSend', ({ raw: { socket } }, _reply, _payload, done) => {
    // Who does not read the answer holds its file open no longer than this.
    if (socket.timeout !== limits.answerIdleMs) socket.setTimeout(limits.answerIdleMs);
    done();
  });
  app.setErrorHandler<FastifyError>(async (error, { raw }, reply) => {
    // Nobody is left to answer to, and no failure of ours what a connection that ended causes.
    const isGone = raw.destroyed && !raw.complete;
    await answerError(isGone ? unreadable('The request broke off.') : error, reply, service);
  });
  app.setNotFoundHandler(answerUnrouted);
  addOpenApiRoute(app, service.version);
  await app.register(async (api) => {
    api.addHook('onRequest', (request, _reply, done) => {
      request.wallet = callerOf(request, service, reach);
      done();
    });
    addDeploymentRoutes(api, service);
    await addFileRoutes(api, service);
    addLogRoutes(api, service);
    addStreamRoute(api, service);
    addGrantRoutes(api, service);
  });
  return app;
}

/** Any other upgrade is ignored and the request answered as it is (RFC 9110, section 7.8). */
function isStreamUpgrade({ method, url, headers }: IncomingMessage): boolean {
  const [path] = (url ?? '').split('?');
  const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket';
  return isWebSocket && method === 'GET' && path === logStreamPath;
}

async function answerError(
  error: FastifyError | Refusal,
  reply: FastifyReply,
  service: Service,
): Promise<void> {
  const refusal = refusalFor(error);
  if (refusal.status === 500) service.onFailure(error);
  if (refusal.retryAfter !== undefined) reply.header('retry-after', `${refusal.retryAfter}`);
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer');
  await reply.code(refusal.status).send(errorEnvelope(refusal));
}

/** Every error as one that may be shown: those of libraries and of the system in our words. */
function refusalFor(error: FastifyError | Refusal): Refusal {
  if (error instanceof Refusal) return error;
  const { code, statusCode = 500 } = error;
  const isSqliteFull = 'errcode' in error && error.errcode === sqliteFull;
  if (code === 'ENOSPC' || code === 'EDQUOT' || isSqliteFull) {
    return new Refusal(507, 'storage-full', 'The disk of this host is full.');
  }
  if (code === 'ENAMETOOLONG') return new Refusal(422, 'invalid', 'The path is too long.');
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge('A file of the upload is too large.');
  if (code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT')
    return tooLarge('The upload has too many parts.');
  if (statusCode === 413) return tooLarge('The body of the request is too large.');
  if (statusCode >= 400 && statusCode < 500) return unreadable('The request cannot be read.');
  return new Refusal(500, 'internal', 'The host failed at this; its own output says why.');
}

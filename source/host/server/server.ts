import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { callerOf, type ServerAddress, refuseForeignSites } from './access.ts';
import { answerError } from './error-answer.ts';
import type { Tls } from './exposure.ts';
import { httpDate } from './http-date.ts';
import { answerRaw, protocolRefusal, tooSlow } from './raw-answer.ts';
import { unavailable, unreadable } from '../refusal.ts';
import { addDeploymentRoutes } from '../routes/deployments.ts';
import { addFileRoutes } from '../routes/files.ts';
import { addGrantRoutes } from '../routes/grants.ts';
import { addLogRoutes } from '../routes/logs.ts';
import { addOpenApiRoute } from '../routes/openapi.ts';
import { addStreamRoute } from '../routes/stream.ts';
import { answerUnrouted } from '../routes/unrouted.ts';
import type { HostService } from '../service.ts';
import { watchBody } from './slow-bodies.ts';
import { addWebSockets, isStreamUpgrade } from './upgrades.ts';

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
  tls?: Tls,
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
    await answerError(isAborted ? unreadable('The request was aborted.') : error, reply, service);
  });
  app.setNotFoundHandler(answerUnrouted);
  app.decorateRequest('wallet', '');
  addOpenApiRoute(app, service.version);
  await app.register(async (api) => {
    api.addHook('onRequest', (request, _reply, done) => {
      request.wallet = callerOf(request, service, address);
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

function newApp(service: HostService, tls: Tls | undefined): FastifyInstance {
  const { clock, limits } = service;
  const http = {
    maxHeaderSize: 2 * maxUrlBytes,
    headersTimeout: limits.headersMs,
    connectionsCheckingInterval: Math.min(limits.headersMs, 5000),
    // A missing Host header is refused like a wrong one, in our envelope.
    requireHostHeader: false,
    shouldUpgradeCallback: isStreamUpgrade,
  };
  return Fastify({
    bodyLimit: limits.bodyBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // Fastify's own 503 response would not be in our envelope.
    return503OnClosing: false,
    ...(tls === undefined
      ? { http }
      : { https: { ...http, ...tls, handshakeTimeout: limits.headersMs } }),
    routerOptions: { maxParamLength: maxUrlBytes },
    frameworkErrors(error, _request, reply) {
      void answerError(error, reply, service);
    },
    clientErrorHandler(error, socket) {
      // No response can be sent after a failed TLS handshake.
      if (/^ERR_(?:SSL|TLS)_/.test(error.code)) socket.destroy();
      else answerRaw(socket, protocolRefusal(error.code), httpDate(clock));
    },
  });
}

/** Limits connections and slow request bodies, before and outside the routes. */
function limitConnections({ server }: FastifyInstance, { clock, limits }: HostService): void {
  // Further connections are closed at once.
  server.maxConnections = limits.connections;
  // Unknown expectations are ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response);
  });
  // Listen on the server itself, since some refused requests never reach a route.
  server.on('request', (request, response) => {
    const refuse = () => {
      if (response.headersSent) request.socket.destroy();
      else answerRaw(request.socket, tooSlow(), httpDate(clock));
    };
    watchBody(request, response, { clock, limits, refuse });
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
    reply.header('date', httpDate(clock));
    // Two programs may each use a different Host header (RFC 9112, section 3.2).
    if (countHostHeaders(request.raw.rawHeaders) > 1) {
      throw unreadable('The request has more than one Host header. Send one.');
    }
    refuseForeignSites(request, address);
    done();
  });
  app.addHook('onSend', ({ raw: { socket } }, _reply, _payload, done) => {
    // Limits how long a client that does not read the response holds its file open.
    if (socket.timeout !== limits.answerIdleMs) socket.setTimeout(limits.answerIdleMs);
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

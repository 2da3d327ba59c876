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
    /** The caller's wallet, on every route below /api. */
    wallet: string;
  }
}

/** Longest URL: a path of 3072 bytes, each percent-encoded, and room for the rest. */
const urlBytes = 16 * 1024;

/**
 * The contract's 15 operations and the log stream as an HTTP server that does not listen yet; as an
 * HTTPS server with a certificate.
 */
export async function buildServer(
  service: HostService,
  reach: ServerAddress,
  tls?: Tls,
): Promise<FastifyInstance> {
  const app = newApp(service, tls);
  watchConnections(app, service);
  // First of all hooks is the plugin's own, which marks upgrades: it ends the sockets of those that
  // are refused, by whichever hook.
  await addWebSockets(app, service.clock);
  addHooks(app, service, reach);
  // Bodies are taken as they come: an operation without a body ignores whatever is sent along,
  // one with a body reads it as JSON whatever its type is said to be.
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.setErrorHandler<FastifyError>(async (error, { raw }, reply) => {
    // Nobody is left to answer to, and no failure of ours what a connection that ended causes.
    const isGone = raw.destroyed && !raw.complete;
    await answerError(isGone ? unreadable('The request broke off.') : error, reply, service);
  });
  app.setNotFoundHandler(answerUnrouted);
  app.decorateRequest('wallet', '');
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

function newApp(service: HostService, tls: Tls | undefined): FastifyInstance {
  const { clock, limits } = service;
  const http = {
    maxHeaderSize: 2 * urlBytes,
    headersTimeout: limits.headersMs,
    connectionsCheckingInterval: Math.min(limits.headersMs, 5000),
    // Without one it is refused like a wrong one, in our envelope.
    requireHostHeader: false,
    shouldUpgradeCallback: isStreamUpgrade,
  };
  return Fastify({
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
}

/** Bounds what is held open for callers before a route has seen anything of them. */
function watchConnections({ server }: FastifyInstance, { clock, limits }: HostService): void {
  // Beyond this many, connections are closed at once.
  server.maxConnections = limits.connections;
  // Expectations that nobody knows are ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response);
  });
  // Beside the routes, since some of what is refused never gets to one.
  server.on('request', (request, response) => {
    const refuse = () => {
      if (response.headersSent) request.socket.destroy();
      else answerRaw(request.socket, tooSlow(), httpDate(clock));
    };
    watchBody(request, response, { clock, limits, refuse });
  });
}

/** They are no async functions, as each of those would cost every request some microseconds. */
function addHooks(
  app: FastifyInstance,
  { clock, limits }: HostService,
  reach: ServerAddress,
): void {
  let isEnding = false;
  app.addHook('preClose', async () => {
    isEnding = true;
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (isEnding) throw unavailable();
    // Grants expire by the host's clock, which clients learn from here.
    reply.header('date', httpDate(clock));
    // Two programs may each go by another one of them (RFC 9112, section 3.2).
    if (hostsIn(request.raw.rawHeaders) > 1) {
      throw unreadable('The request has more than one Host header. Send one.');
    }
    refuseForeignSites(request, reach);
    done();
  });
  app.addHook('onSend', ({ raw: { socket } }, _reply, _payload, done) => {
    // Who does not read the answer holds its file open no longer than this.
    if (socket.timeout !== limits.answerIdleMs) socket.setTimeout(limits.answerIdleMs);
    done();
  });
}

/** Counts the Host headers among names and values by turns. */
function hostsIn(headers: readonly string[]): number {
  let hosts = 0;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

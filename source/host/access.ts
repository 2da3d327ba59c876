import type { FastifyRequest } from 'fastify';
import { logStreamPath } from '../contract/routes.ts';
import { forbidden, unauthorized } from './refusal.ts';
import type { Tokens } from './tokens.ts';

const ownNames = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Refuses requests that a web page could have caused. A page of another site may point a name of
 * its own at this machine (DNS rebinding): its requests carry that name as Host. Or it asks
 * straight away: then the browser says which site it is, as Origin.
 */
export function refuseForeignSites(request: FastifyRequest): void {
  const host = request.headers.host ?? '';
  if (!ownNames.has(host.replace(/:\d+$/, '').toLowerCase())) {
    throw forbidden('This host answers to 127.0.0.1 and localhost only.');
  }
  const { origin } = request.headers;
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
    throw forbidden('This host does not answer to web pages.');
  }
}

/** The wallet of the caller's token. Throws a 401 without one that was issued here. */
export function callerOf(request: FastifyRequest, tokens: Tokens): string {
  const token = bearerToken(request);
  if (token === undefined) {
    throw unauthorized('Send a token: Authorization: Bearer TOKEN.');
  }
  const wallet = tokens.walletOf(token);
  if (wallet === undefined) {
    throw unauthorized('This token is not known here. Make one with: hostdeck host token.');
  }
  return wallet;
}

function bearerToken(request: FastifyRequest): string | undefined {
  const [, token] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
  if (token !== undefined) return token;
  // WebSocket clients in browsers and some tools cannot send the header. The server listens on
  // loopback only, so that this token passes no proxy that would log it.
  if (request.routeOptions.url !== logStreamPath) return undefined;
  const { access_token: queried } = request.query as Readonly<Record<string, unknown>>;
  return typeof queried === 'string' ? queried : undefined;
}

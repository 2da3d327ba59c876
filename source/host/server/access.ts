import type { FastifyRequest } from 'fastify';
import { logStreamPath } from '../../contract/routes.ts';
import { forbidden, rateLimited, unauthorized } from '../refusal.ts';
import type { HostService } from '../service.ts';

/** How callers get to a server of the host. */
export interface ServerAddress {
  readonly scheme: 'http' | 'https';
  /** Only programs of this machine get there. */
  readonly isLoopback: boolean;
  /** Names it answers to beside this machine's own; lower case. */
  readonly names: ReadonlySet<string>;
}

const ownNames = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Refuses requests that a web page could have caused. A page of another site may point a name of
 * its own at this machine (DNS rebinding): its requests carry that name as Host. Or it asks
 * straight away: then the browser says which site it is, as Origin.
 */
export function refuseForeignSites(request: FastifyRequest, reach: ServerAddress): void {
  const host = (request.headers.host ?? '').toLowerCase();
  const name = nameIn(host);
  // No name leads to an address that is written out, so the one that was called is the host's own.
  const isOwn = ownNames.has(name) || name === calledAddress(request);
  if (!isOwn && !reach.names.has(name)) {
    throw forbidden(
      'This host answers to its own address, localhost and the names of --host-name only.',
    );
  }
  const { origin } = request.headers;
  if (origin !== undefined && origin.toLowerCase() !== `${reach.scheme}://${host}`) {
    throw forbidden('This host does not answer to web pages.');
  }
}

/**
 * The wallet of the caller's token. Throws a 401 without one that was issued here, a 429 where too
 * many of these came from the same address.
 */
export function callerOf(
  request: FastifyRequest,
  { tokens, wrongTokens }: Pick<HostService, 'tokens' | 'wrongTokens'>,
  reach: ServerAddress,
): string {
  const token = bearerToken(request) ?? queriedToken(request, reach);
  if (token === undefined) {
    throw unauthorized('Send a token: Authorization: Bearer TOKEN.');
  }
  const wallet = tokens.walletOf(token);
  if (wallet === undefined) {
    const seconds = wrongTokens.add(request.socket.remoteAddress ?? '');
    if (seconds !== undefined) {
      throw rateLimited(
        'Too many tokens from here are not known. Wait, or send a known one.',
        seconds,
      );
    }
    throw unauthorized('This token is not known here. Make one with: hostdeck host token.');
  }
  return wallet;
}

function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
}

/**
 * WebSocket clients in browsers and some tools cannot send the header. A query ends up in the logs
 * of what it passes, so it is taken only from who called this machine by its own name on loopback.
 */
function queriedToken(request: FastifyRequest, reach: ServerAddress): string | undefined {
  if (request.routeOptions.url !== logStreamPath) return undefined;
  const { access_token: token } = request.query as Readonly<Record<string, unknown>>;
  if (typeof token !== 'string') return undefined;
  if (!reach.isLoopback || !ownNames.has(nameIn(request.headers.host ?? ''))) {
    throw unauthorized('On loopback alone a token is taken from the query. Send it as a header.');
  }
  return token;
}

function nameIn(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

/** The address of this machine that the connection was made to, as a Host header writes it. */
function calledAddress({ socket }: FastifyRequest): string | undefined {
  const address = socket.localAddress?.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*$/, '');
  return address?.includes(':') === true ? `[${address}]` : address;
}

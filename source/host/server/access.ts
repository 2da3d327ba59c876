import type { FastifyRequest } from 'fastify';
import { logStreamPath } from '../../contract/routes.ts';
import { forbidden, rateLimited, unauthorized } from '../refusal.ts';
import type { HostService } from '../service.ts';

/** The address under which callers reach a server of the host. */
export interface ServerAddress {
  readonly scheme: 'http' | 'https';
  /** True when only programs on this machine can connect. */
  readonly isLoopback: boolean;
  /** Accepted host names besides this machine's own, in lower case. */
  readonly names: ReadonlySet<string>;
}

const ownNames = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Throws a 403 for requests that a web page could have caused. A page of another site may resolve
 * its own name to this machine (DNS rebinding): its requests carry that name in the Host header.
 * Cross-site requests to this machine's own names carry the page's site in the Origin header.
 */
export function rejectForeignSites(request: FastifyRequest, server: ServerAddress): void {
  const host = (request.headers.host ?? '').toLowerCase();
  const name = hostName(host);
  // DNS rebinding needs a name, so an IP address that matches the connection's is the host's own.
  const isOwn = ownNames.has(name) || name === localAddress(request);
  if (!isOwn && !server.names.has(name)) {
    throw forbidden(
      'This host answers only to its own address, localhost and the names set with --host-name.',
    );
  }
  const { origin } = request.headers;
  if (origin !== undefined && origin.toLowerCase() !== `${server.scheme}://${host}`) {
    throw forbidden('This host does not answer to web pages.');
  }
}

/**
 * Returns the wallet of the caller's token. Throws a 401 when the token is missing or unknown, and
 * a 429 after too many unknown tokens from the same address.
 */
export function authenticateCaller(
  request: FastifyRequest,
  { tokens, wrongTokenLimiter }: Pick<HostService, 'tokens' | 'wrongTokenLimiter'>,
  server: ServerAddress,
): string {
  const token = bearerToken(request) ?? queryToken(request, server);
  if (token === undefined) {
    throw unauthorized('Send a token: Authorization: Bearer TOKEN.');
  }
  const wallet = tokens.walletOf(token);
  if (wallet === undefined) {
    const seconds = wrongTokenLimiter.add(request.socket.remoteAddress ?? '');
    if (seconds !== undefined) {
      throw rateLimited(
        'Too many unknown tokens from this address. Wait, or send a valid token.',
        seconds,
      );
    }
    throw unauthorized('Unknown token. Create one with: hostdeck host token --wallet ADDRESS.');
  }
  return wallet;
}

function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
}

/**
 * Returns the token in the query of the log stream, for WebSocket clients that cannot send the
 * header. Proxies log queries, so it is accepted only on loopback, under this machine's own names.
 */
function queryToken(request: FastifyRequest, server: ServerAddress): string | undefined {
  if (request.routeOptions.url !== logStreamPath) return undefined;
  const { access_token: token } = request.query as Readonly<Record<string, unknown>>;
  if (typeof token !== 'string') return undefined;
  if (!server.isLoopback || !ownNames.has(hostName(request.headers.host ?? ''))) {
    throw unauthorized('A token in the query is accepted on loopback only. Send it as a header.');
  }
  return token;
}

function hostName(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

/** Returns the local address of the connection in the form of a Host header. */
function localAddress({ socket }: FastifyRequest): string | undefined {
  const address = socket.localAddress?.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*$/, '');
  return address?.includes(':') === true ? `[${address}]` : address;
}

/** Connects through proxies: by tunnels (CONNECT, RFC 9110, 9.3.6), or by forwarded requests. */
import { request as requestPlainly } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { buildConnector, type Dispatcher } from 'undici';
import type { Limits } from './limits.ts';
import type { Route } from './pool.ts';
import type { Proxy } from './proxy.ts';
import { ProxyError } from './proxy-errors.ts';

/**
 * Opens a tunnel to a host, with its port, through a proxy.
 * @param timeout in ms until the tunnel is open.
 * @throws {@link ProxyError}
 */
export function openTunnel(proxy: Proxy, authority: string, timeout: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const send = proxy.url.protocol === 'https:' ? requestSecurely : requestPlainly;
  const request = send({
    method: 'CONNECT',
    hostname: proxy.url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: proxy.url.port === '' ? undefined : proxy.url.port,
    path: authority,
    headers: { host: authority, 'user-agent': 'hostdeck', ...authorize(proxy) },
    agent: false,
  });
  const timer = setTimeout(() => {
    request.destroy(Object.assign(new Error('no tunnel'), { code: 'UND_ERR_CONNECT_TIMEOUT' }));
  }, timeout);
  request
    .once('connect', ({ statusCode = 0 }, socket: Socket, head) => {
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.on('error', () => {}).destroy();
      reject(new ProxyError(proxy, statusCode));
    })
    .on('error', (cause) => reject(new ProxyError(proxy, cause)))
    .end();
  return promise.finally(() => clearTimeout(timer));
}

/** Returns the header with the credentials of a proxy. */
function authorize({ authorization }: Proxy): Readonly<Record<string, string>> {
  return authorization === undefined ? {} : { 'proxy-authorization': authorization };
}

/** Opens a connection for the WebSocket that `ws` describes in its options, through a tunnel. */
export async function openStreamTunnel(
  proxy: Proxy,
  { host = '', port }: TcpNetConnectOpts,
  isSecure: boolean,
  { connectTimeout }: Limits,
): Promise<Socket> {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const socket = await openTunnel(proxy, authority, connectTimeout);
  if (!isSecure) return socket;
  // IP addresses are no server names (RFC 6066, 3).
  return connectSecurely({ socket, host, servername: isIP(host) > 0 ? '' : host });
}

/**
 * Returns the way of requests to an origin through a proxy. For https that is a tunnel; http requests
 * are forwarded (RFC 9112, 3.2.2), because many proxies allow tunnels to port 443 alone.
 */
export function routeThrough(proxy: Proxy, { origin, host }: URL, limits: Limits): Route {
  const connect = buildConnector({ timeout: limits.connectTimeout, allowH2: false });
  if (!proxy.isForwarding) {
    return {
      origin,
      interceptors: [],
      connect(options, connected) {
        const authority = `${options.hostname}:${options.port === '' ? 443 : options.port}`;
        openTunnel(proxy, authority, limits.connectTimeout).then(
          (tunnel) => connect({ ...options, httpSocket: tunnel }, connected),
          (error: Error) => connected(error, null),
        );
      },
    };
  }
  const forward: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
    const headers = options.headers as Readonly<Record<string, string>>;
    const path = origin + options.path;
    return dispatch(
      { ...options, path, headers: { ...headers, host, ...authorize(proxy) } },
      handler,
    );
  };
  return {
    origin: proxy.url.origin,
    interceptors: [forward],
    connect(options, connected) {
      connect(options, (...[cause, socket]) => {
        if (cause === null) connected(null, socket);
        else connected(new ProxyError(proxy, cause), null);
      });
    },
  };
}

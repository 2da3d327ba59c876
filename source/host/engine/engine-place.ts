import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The environment variables that name an engine and the files of registry logins. */
export type EngineEnvironment = Readonly<Record<string, string | undefined>>;

/** The client's certificate and key, and the authority of the engine's certificate. */
interface ClientCertificates {
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** The endpoint of a container engine: a Unix socket, or TCP with or without TLS. */
export type EngineEndpoint = SocketEndpoint | NetworkEndpoint;

interface SocketEndpoint {
  /** Address in the form `unix:///run/podman/podman.sock`. */
  readonly address: string;
  readonly socketPath: string;
}

interface NetworkEndpoint {
  /** Address in the form `tcp://engine.example:2376`. */
  readonly address: string;
  /** Scheme, host and port of the HTTP API. */
  readonly origin: string;
  readonly certificates?: ClientCertificates | undefined;
}

/** The reason, for a log, why no engine was found. */
export interface NoEngine {
  readonly failure: string;
}

/**
 * Returns the endpoints to try: the one in `DOCKER_HOST`, with TLS by `DOCKER_TLS_VERIFY` and
 * `DOCKER_CERT_PATH`, else the usual sockets of Docker and Podman.
 */
export function findEngineEndpoints(env: EngineEnvironment): readonly EngineEndpoint[] | NoEngine {
  const { DOCKER_HOST: named, HOME: home, XDG_RUNTIME_DIR: runtime } = env;
  if (named !== undefined && named !== '') return parseHost(named, env);
  return [
    '/var/run/docker.sock',
    ...(runtime === undefined ? [] : [`${runtime}/docker.sock`, `${runtime}/podman/podman.sock`]),
    ...(home === undefined ? [] : [`${home}/.docker/run/docker.sock`]),
    '/run/podman/podman.sock',
  ].map(socketEndpoint);
}

/**
 * Returns true when any process that can connect can control the engine: on TCP without client
 * certificates. A socket is protected by its file's mode.
 */
export function isUnguarded(place: EngineEndpoint): boolean {
  return 'origin' in place && place.certificates === undefined;
}

function parseHost(named: string, env: EngineEnvironment): readonly EngineEndpoint[] | NoEngine {
  const socket = /^unix:\/\/(\/.+)$/.exec(named)?.[1];
  if (socket !== undefined) return [socketEndpoint(socket)];
  const address = named.includes('://') ? named : `tcp://${named}`;
  const url = URL.parse(address);
  if (url === null || !['tcp:', 'http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    return {
      failure: 'DOCKER_HOST must be unix:///PATH, tcp://HOST:PORT or https://HOST:PORT',
    };
  }
  const isSecure = url.protocol === 'https:' || (env['DOCKER_TLS_VERIFY'] ?? '') !== '';
  const port = url.port === '' ? (isSecure ? '2376' : '2375') : url.port;
  const certificates = isSecure ? readCertificates(env['DOCKER_CERT_PATH']) : undefined;
  if (certificates !== undefined && 'failure' in certificates) return certificates;
  const origin = `${isSecure ? 'https' : 'http'}://${url.hostname}:${port}`;
  return [{ address, origin, certificates }];
}

function readCertificates(folder: string | undefined): ClientCertificates | NoEngine | undefined {
  if (folder === undefined || folder === '') return undefined;
  try {
    const read = (name: string) => readFileSync(path.join(folder, name));
    return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') };
  } catch {
    return { failure: 'DOCKER_CERT_PATH has no readable ca.pem, cert.pem and key.pem' };
  }
}

function socketEndpoint(socketPath: string): EngineEndpoint {
  return { address: `unix://${socketPath}`, socketPath };
}

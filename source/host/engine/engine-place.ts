import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The variables by which an engine, and the logins at registries, are found. */
export type EngineEnvironment = Readonly<Record<string, string | undefined>>;

/** A certificate by which the engine knows this client, and the authority that signed its own. */
interface ClientCertificates {
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** A place of a container engine: a Unix socket, or TCP with or without TLS. */
export type EnginePlace = SocketPlace | NetworkPlace;

interface SocketPlace {
  /** The address as a person would write it: `unix:///run/podman/podman.sock`. */
  readonly address: string;
  readonly socketPath: string;
}

interface NetworkPlace {
  /** The address as a person would write it: `tcp://engine.example:2376`. */
  readonly address: string;
  /** Scheme, host and port of its HTTP API. */
  readonly origin: string;
  readonly certificates?: ClientCertificates | undefined;
}

/** The reason, for a log, that there is no place to look for an engine. */
export interface NoPlace {
  readonly failure: string;
}

/**
 * Returns the places of container engines: the one that `DOCKER_HOST` names, with TLS by
 * `DOCKER_TLS_VERIFY` and `DOCKER_CERT_PATH`, else the usual sockets of Docker and Podman.
 */
export function enginePlaces(env: EngineEnvironment): readonly EnginePlace[] | NoPlace {
  const { DOCKER_HOST: named, HOME: home, XDG_RUNTIME_DIR: runtime } = env;
  if (named !== undefined && named !== '') return placeOf(named, env);
  return [
    '/var/run/docker.sock',
    ...(runtime === undefined ? [] : [`${runtime}/docker.sock`, `${runtime}/podman/podman.sock`]),
    ...(home === undefined ? [] : [`${home}/.docker/run/docker.sock`]),
    '/run/podman/podman.sock',
  ].map(socketPlace);
}

/**
 * Returns whether any process that reaches the place can drive the engine there: it is on TCP and
 * knows its clients by no certificate. A socket is guarded by its file's mode.
 */
export function isUnguarded(place: EnginePlace): boolean {
  return 'origin' in place && place.certificates === undefined;
}

function placeOf(named: string, env: EngineEnvironment): readonly EnginePlace[] | NoPlace {
  const socket = /^unix:\/\/(\/.+)$/.exec(named)?.[1];
  if (socket !== undefined) return [socketPlace(socket)];
  const address = named.includes('://') ? named : `tcp://${named}`;
  const url = URL.parse(address);
  if (url === null || !['tcp:', 'http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    return {
      failure: 'DOCKER_HOST is neither unix:///PATH nor tcp://HOST:PORT nor https://HOST:PORT',
    };
  }
  const isSecure = url.protocol === 'https:' || (env['DOCKER_TLS_VERIFY'] ?? '') !== '';
  const port = url.port === '' ? (isSecure ? '2376' : '2375') : url.port;
  const certificates = isSecure ? readCertificates(env['DOCKER_CERT_PATH']) : undefined;
  if (certificates !== undefined && 'failure' in certificates) return certificates;
  const origin = `${isSecure ? 'https' : 'http'}://${url.hostname}:${port}`;
  return [{ address, origin, certificates }];
}

function readCertificates(folder: string | undefined): ClientCertificates | NoPlace | undefined {
  if (folder === undefined || folder === '') return undefined;
  try {
    const read = (name: string) => readFileSync(path.join(folder, name));
    return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') };
  } catch {
    return { failure: 'DOCKER_CERT_PATH has no readable ca.pem, cert.pem and key.pem' };
  }
}

function socketPlace(socketPath: string): EnginePlace {
  return { address: `unix://${socketPath}`, socketPath };
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type Docker from 'dockerode';
import { answerWithin } from './container-answers.ts';
import type { RunFailure } from './runtime.ts';

/** Where a container engine may answer. */
export interface EnginePlace {
  /** As a person would write it: `unix:///run/podman/podman.sock`. */
  readonly address: string;
  readonly options: Docker.DockerOptions;
  /** False where the engine cannot see the files of this machine. */
  readonly sharesDisk: boolean;
}

/** An engine that has just answered. */
export interface Engine extends EnginePlace {
  readonly docker: Docker;
}

export type EngineEnvironment = Readonly<Record<string, string | undefined>>;

/** An engine that does not answer within this is taken for gone. */
const pingMs = 3000;

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * The places of container engines: the one that `DOCKER_HOST` names, with TLS by `DOCKER_TLS_VERIFY`
 * and `DOCKER_CERT_PATH`, else the usual sockets of Docker and Podman.
 */
export function enginePlaces(env: EngineEnvironment): readonly EnginePlace[] | RunFailure {
  const { DOCKER_HOST: named, HOME: home, XDG_RUNTIME_DIR: runtime } = env;
  if (named !== undefined && named !== '') return placeOf(named, env);
  return [
    '/var/run/docker.sock',
    ...(runtime === undefined ? [] : [`${runtime}/docker.sock`, `${runtime}/podman/podman.sock`]),
    ...(home === undefined ? [] : [`${home}/.docker/run/docker.sock`]),
    '/run/podman/podman.sock',
  ].map(socketPlace);
}

function placeOf(named: string, env: EngineEnvironment): readonly EnginePlace[] | RunFailure {
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
  const certificates = isSecure ? readCertificates(env['DOCKER_CERT_PATH']) : {};
  if ('failure' in certificates) return certificates;
  const options = {
    host: url.hostname,
    port,
    protocol: isSecure ? ('https' as const) : ('http' as const),
    ...certificates,
  };
  return [{ address, options, sharesDisk: loopback.test(url.hostname) }];
}

function readCertificates(
  folder: string | undefined,
): Pick<Docker.DockerOptions, 'ca' | 'cert' | 'key'> | RunFailure {
  if (folder === undefined || folder === '') return {};
  try {
    const read = (name: string) => readFileSync(path.join(folder, name));
    return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') };
  } catch {
    return { failure: 'DOCKER_CERT_PATH has no readable ca.pem, cert.pem and key.pem' };
  }
}

function socketPlace(socketPath: string): EnginePlace {
  const options = { socketPath, protocol: 'http' as const };
  return { address: `unix://${socketPath}`, options, sharesDisk: true };
}

/** Finds the container engine of this machine, anew each time: it may come, go and move. */
export class EngineFinder {
  /** The variables by which it is found. */
  readonly environment: EngineEnvironment;
  #answers = false;

  constructor(env: EngineEnvironment) {
    this.environment = env;
  }

  /** Whether one answered when one was last looked for. */
  get answers(): boolean {
    return this.#answers;
  }

  /** The first engine that answers. */
  async find(): Promise<Engine | RunFailure> {
    const found = await this.#look();
    // Not before: one that is looked for again has not gone away by that.
    this.#answers = !('failure' in found);
    return found;
  }

  async #look(): Promise<Engine | RunFailure> {
    const places = enginePlaces(this.environment);
    if ('failure' in places) return places;
    const { engineClient } = await import('./container-client.ts');
    for (const place of places) {
      const docker = engineClient(place.options);
      try {
        await answerWithin(pingMs, docker.ping());
        return { ...place, docker };
      } catch {
        // The next one may.
      }
    }
    const tried = places.map(({ address }) => address).join(', ');
    return { failure: `no container engine answers on ${tried}` };
  }
}

/** What an engine says of a failure, as a few words for a log; what it quotes may be long. */
export function engineReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ECONNREFUSED' || code === 'ENOENT' || code === 'ECONNRESET') {
    return 'the container engine does not answer';
  }
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
    return 'the container engine did not answer in time';
  }
  const said = error instanceof Error ? error.message : String(error);
  const words = said
    .replace(/^\(HTTP code \d+\) [^-]*- /, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return words.length > longestReason ? `${words.slice(0, longestReason)}…` : words;
}

const longestReason = 300;

/** The status of the engine's answer, where it answered. */
export function engineStatus(error: unknown): number | undefined {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' ? status : undefined;
}

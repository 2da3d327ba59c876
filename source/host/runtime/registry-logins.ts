import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AuthConfig } from '../engine/engine-api.ts';
import type { EngineEnvironment } from '../engine/engine-place.ts';
import { objectFields } from '../engine/fields.ts';

/** The login at an image's registry, as far as files of Docker and Podman have it. */
export interface RegistryLogin {
  /** Secret: never shown or logged. */
  readonly credentials?: AuthConfig | undefined;
  /** Program that stores the credentials in place of a file: `docker-credential-pass`. */
  readonly helper?: string | undefined;
}

const dockerHub = 'docker.io';

/** Docker Hub's address in the form of Docker's own programs. */
const dockerHubAddress = 'https://index.docker.io/v1/';

/**
 * Reads the login that `docker login` or `podman login` stored for the registry of this image.
 * Files are read on each call; missing and unreadable ones are skipped.
 */
export async function findLogin(image: string, env: EngineEnvironment): Promise<RegistryLogin> {
  const documents: unknown[] = [];
  for (const file of loginFiles(env, process.getuid?.())) {
    try {
      documents.push(JSON.parse(await readFile(file, 'utf8')));
    } catch {
      // The next file may be readable.
    }
  }
  return selectLogin(image, documents);
}

/** Returns the paths of the files that may store logins, by priority. */
export function loginFiles(env: EngineEnvironment, user: number | undefined): readonly string[] {
  const { REGISTRY_AUTH_FILE: named, DOCKER_CONFIG: docker, XDG_RUNTIME_DIR: runtime } = env;
  const { HOME: home, XDG_CONFIG_HOME: config = home && path.join(home, '.config') } = env;
  const podman = runtime || (user === undefined ? undefined : `/run/containers/${user}`);
  const dockerFolder = docker || (home && path.join(home, '.docker'));
  return [
    named,
    podman && path.join(podman, runtime ? 'containers' : '', 'auth.json'),
    config && path.join(config, 'containers', 'auth.json'),
    dockerFolder && path.join(dockerFolder, 'config.json'),
  ].flatMap((file) => file || []);
}

/** Returns an image's login from the parsed files: the first file wins, there the closest scope. */
export function selectLogin(image: string, documents: readonly unknown[]): RegistryLogin {
  const scopes = scopesOf(image);
  const serveraddress = scopes.at(-1) === dockerHub ? dockerHubAddress : (scopes.at(-1) ?? '');
  let helper: string | undefined;
  for (const document of documents) {
    const entries = Object.entries(objectFields(objectFields(document)['auths']));
    const matching = scopes.flatMap((scope) => entries.filter(([key]) => scopeOf(key) === scope));
    for (const [, entry] of matching) {
      const credentials = credentialsIn(entry);
      if (credentials !== undefined) return { credentials: { ...credentials, serveraddress } };
    }
    helper ??= helperIn(document, scopes, matching.length > 0);
  }
  return { helper };
}

/** Returns the image's name with Docker Hub as its registry unless it names one. */
export function withRegistry(image: string): string {
  const [first = '', ...rest] = image.split('/');
  if (rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')) return image;
  return rest.length > 0 ? `${dockerHub}/${image}` : `${dockerHub}/library/${image}`;
}

/** Returns the scopes that a login may have: the image, its parent paths, and last its registry. */
function scopesOf(image: string): readonly string[] {
  const name = withRegistry(image)
    .replace(/@.*$/, '')
    .replace(/:[^/:]*$/, '');
  const parts = name.split('/');
  parts[0] = registryOf(parts[0] ?? '');
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('/'));
}

/** Returns the scope of a key of `auths`; old keys are addresses of a registry. */
function scopeOf(key: string): string {
  const [first = '', ...rest] = key.replace(/^https?:\/\//, '').split('/');
  const registry = registryOf(first);
  const isAddress = /^https?:\/\//.test(key) || /^v[12]$/.test(rest[0] ?? '');
  return isAddress ? registry : [registry, ...rest.filter((part) => part !== '')].join('/');
}

function registryOf(name: string): string {
  return ['index.docker.io', 'registry-1.docker.io'].includes(name) ? dockerHub : name;
}

function credentialsIn(entry: unknown): Omit<AuthConfig, 'serveraddress'> | undefined {
  const { auth, identitytoken } = objectFields(entry);
  const token = typeof identitytoken === 'string' && identitytoken !== '' ? { identitytoken } : {};
  const basic = typeof auth === 'string' ? Buffer.from(auth, 'base64').toString() : '';
  const colon = basic.indexOf(':');
  if (colon > 0) {
    // Docker pads some passwords with zeros.
    const password = basic.slice(colon + 1).replace(/\0+$/, '');
    return { username: basic.slice(0, colon), password, ...token };
  }
  return 'identitytoken' in token ? token : undefined;
}

function helperIn(document: unknown, scopes: readonly string[], isListed: boolean) {
  const { credHelpers, credsStore } = objectFields(document);
  const helperEntry = Object.entries(objectFields(credHelpers)).find(([key]) =>
    scopes.includes(scopeOf(key)),
  );
  // A helper for all registries leaves an empty entry for each registry that it has a login for.
  const name = helperEntry?.[1] ?? (isListed ? credsStore : undefined);
  return typeof name === 'string' && name !== '' ? `docker-credential-${name}` : undefined;
}

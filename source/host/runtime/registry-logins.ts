import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AuthConfig } from '../engine/engine-api.ts';
import type { EngineEnvironment } from '../engine/engine-place.ts';
import { engineFields } from '../engine/fields.ts';

/** What is known of a login at the registry of an image. */
export interface RegistryLogin {
  /** Never to be shown. */
  readonly credentials?: AuthConfig | undefined;
  /** Program that has them, where no file does: `docker-credential-pass`. */
  readonly helper?: string | undefined;
}

const hub = 'docker.io';

/** As Docker's own programs write it. */
const hubAddress = 'https://index.docker.io/v1/';

/**
 * Finds what `docker login` or `podman login` stored for the registry of this image, anew each time.
 * A file that is missing or cannot be read says nothing.
 */
export async function findLogin(image: string, env: EngineEnvironment): Promise<RegistryLogin> {
  const documents: unknown[] = [];
  for (const file of loginFiles(env, process.getuid?.())) {
    try {
      documents.push(JSON.parse(await readFile(file, 'utf8')));
    } catch {
      // The next one may.
    }
  }
  return loginIn(image, documents);
}

/** The files that logins are stored in, the first to be asked first. */
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

/** The login of an image among what such files say: the first file's, there the closest one. */
export function loginIn(image: string, documents: readonly unknown[]): RegistryLogin {
  const scopes = scopesOf(image);
  const serveraddress = scopes.at(-1) === hub ? hubAddress : (scopes.at(-1) ?? '');
  let helper: string | undefined;
  for (const document of documents) {
    const entries = Object.entries(engineFields(engineFields(document)['auths']));
    const matching = scopes.flatMap((scope) => entries.filter(([key]) => scopeOf(key) === scope));
    for (const [, entry] of matching) {
      const found = credentialsIn(entry);
      if (found !== undefined) return { credentials: { ...found, serveraddress } };
    }
    helper ??= helperIn(document, scopes, matching.length > 0);
  }
  return { helper };
}

/** Its name with the registry, where it has none: what such a name stands for is else the engine's. */
export function withRegistry(image: string): string {
  const [first = '', ...rest] = image.split('/');
  if (rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')) return image;
  return rest.length > 0 ? `${hub}/${image}` : `${hub}/library/${image}`;
}

/** What a login may be stored for: the image itself, what it is below, and last its registry. */
function scopesOf(image: string): readonly string[] {
  const name = withRegistry(image)
    .replace(/@.*$/, '')
    .replace(/:[^/:]*$/, '');
  const parts = name.split('/');
  parts[0] = registryOf(parts[0] ?? '');
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('/'));
}

/** A key of `auths` in the same form: old ones are addresses of a registry. */
function scopeOf(key: string): string {
  const [first = '', ...rest] = key.replace(/^https?:\/\//, '').split('/');
  const registry = registryOf(first);
  const isAddress = /^https?:\/\//.test(key) || /^v[12]$/.test(rest[0] ?? '');
  return isAddress ? registry : [registry, ...rest.filter((part) => part !== '')].join('/');
}

function registryOf(name: string): string {
  return ['index.docker.io', 'registry-1.docker.io'].includes(name) ? hub : name;
}

function credentialsIn(entry: unknown): Omit<AuthConfig, 'serveraddress'> | undefined {
  const { auth, identitytoken } = engineFields(entry);
  const token = typeof identitytoken === 'string' && identitytoken !== '' ? { identitytoken } : {};
  const said = typeof auth === 'string' ? Buffer.from(auth, 'base64').toString() : '';
  const colon = said.indexOf(':');
  if (colon > 0) {
    // Docker fills some up with zeros.
    const password = said.slice(colon + 1).replace(/\0+$/, '');
    return { username: said.slice(0, colon), password, ...token };
  }
  return 'identitytoken' in token ? token : undefined;
}

function helperIn(document: unknown, scopes: readonly string[], isListed: boolean) {
  const { credHelpers, credsStore } = engineFields(document);
  const own = Object.entries(engineFields(credHelpers)).find(([key]) =>
    scopes.includes(scopeOf(key)),
  );
  // Where one has them all, those it has are listed without anything.
  const name = own?.[1] ?? (isListed ? credsStore : undefined);
  return typeof name === 'string' && name !== '' ? `docker-credential-${name}` : undefined;
}

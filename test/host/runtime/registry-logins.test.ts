import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  findLogin,
  loginFiles,
  selectLogin,
  withRegistry,
} from '../../../source/host/runtime/registry-logins.ts';
import { deploy, readLines } from '../support/bodies.ts';
import { type TemporaryHost, temporaryHost } from '../support/temporary-host.ts';
import { waitFor } from '../../support/wait-for.ts';
import { AlteredEngine } from './altered-engine.ts';
import { containerSdl } from './engine.ts';

const auth = (username: string, password: string) => ({
  auth: Buffer.from(`${username}:${password}`).toString('base64'),
});

/** Returns the user name of the image's login. */
const userOf = (image: string, auths: Readonly<Record<string, unknown>>) =>
  selectLogin(image, [{ auths }]).credentials?.username;

describe('the login at the registry of an image', () => {
  it('is the one with the closest scope', () => {
    const auths = {
      'quay.example': auth('all', 'x'),
      'quay.example/team': auth('team', 'x'),
      'quay.example/team/app': auth('app', 'x'),
      'quay.example/te': auth('none', 'x'),
    };
    expect(userOf('quay.example/team/app:1', auths)).toBe('app');
    expect(userOf('quay.example/team/app@sha256:00', auths)).toBe('app');
    expect(userOf('quay.example/team/other', auths)).toBe('team');
    expect(userOf('quay.example/other/app', auths)).toBe('all');
    expect(userOf('quay.example:5000/team/app', auths)).toBeUndefined();
    expect(userOf('example/team/app', auths)).toBeUndefined();
  });

  it.each([
    'https://index.docker.io/v1/',
    'index.docker.io/v1/',
    'docker.io',
    'registry-1.docker.io',
  ])('of an image without a registry is that of %s', (key) => {
    expect(userOf('busybox', { [key]: auth('me', 'x') })).toBe('me');
    expect(userOf('team/app:2', { [key]: auth('me', 'x') })).toBe('me');
    expect(userOf('localhost/team/app', { [key]: auth('me', 'x') })).toBeUndefined();
  });

  it('is valid for the whole registry when an older program stored it by address', () => {
    expect(userOf('r.example:5000/a/b', { 'https://r.example:5000/v2/': auth('me', 'x') })).toBe(
      'me',
    );
    expect(userOf('r.example/a/b', { 'http://r.example': auth('me', 'x') })).toBe('me');
  });

  it('is returned in the format of the engine', () => {
    const document = {
      auths: {
        'r.example': { ...auth('me', 'a:b\0\0'), identitytoken: 'token' },
        'docker.io': auth('you', 'c'),
      },
    };
    expect(selectLogin('r.example/a', [document]).credentials).toEqual({
      serveraddress: 'r.example',
      username: 'me',
      password: 'a:b',
      identitytoken: 'token',
    });
    expect(selectLogin('a', [document]).credentials).toEqual({
      serveraddress: 'https://index.docker.io/v1/',
      username: 'you',
      password: 'c',
    });
  });

  it('in a credential helper is reported without credentials', () => {
    const everywhere = { auths: { 'r.example': {} }, credsStore: 'desktop' };
    expect(selectLogin('r.example/a', [everywhere])).toEqual({
      helper: 'docker-credential-desktop',
    });
    expect(selectLogin('s.example/a', [everywhere])).toEqual({});
    const one = { credHelpers: { 'r.example': 'ecr-login' } };
    expect(selectLogin('r.example/a', [one])).toEqual({ helper: 'docker-credential-ecr-login' });
    const other = { auths: { 'r.example': auth('me', 'x') } };
    expect(selectLogin('r.example/a', [one, other]).credentials?.username).toBe('me');
  });

  it.each([null, 3, 'x', [[]], {}, { auths: 1 }, { auths: { 'r.example': 'x' } }])(
    'is missing in a file with %j',
    (document) => {
      expect(selectLogin('r.example/a', [document])).toEqual({ helper: undefined });
    },
  );

  it('is read from the files of docker and podman', () => {
    expect(loginFiles({ HOME: '/me', XDG_RUNTIME_DIR: '/run/user/5' }, 5)).toEqual([
      '/run/user/5/containers/auth.json',
      '/me/.config/containers/auth.json',
      '/me/.docker/config.json',
    ]);
    expect(
      loginFiles({ HOME: '/admin', DOCKER_CONFIG: '/d', REGISTRY_AUTH_FILE: '/a.json' }, 0),
    ).toEqual([
      '/a.json',
      '/run/containers/0/auth.json',
      '/admin/.config/containers/auth.json',
      '/d/config.json',
    ]);
    expect(loginFiles({}, undefined)).toEqual([]);
  });
});

describe('the name of an image with its registry', () => {
  it.each([
    ['busybox:1', 'docker.io/library/busybox:1'],
    ['team/app', 'docker.io/team/app'],
    ['localhost/app', 'localhost/app'],
    ['r.example/app', 'r.example/app'],
    ['r:5000/app', 'r:5000/app'],
  ])('%s is %s', (image, name) => {
    expect(withRegistry(image)).toBe(name);
  });
});

describe('an image of a private registry', () => {
  let folder: string;
  let service: TemporaryHost | undefined;
  let engine: AlteredEngine;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'hostdeck-login-'));
    engine = await AlteredEngine.open(undefined, ({ path: asked }) => {
      if (asked.startsWith('/_ping')) return { status: 200, body: 'OK' };
      if (/^\/(?:containers\/json|networks)\?/.test(asked)) return { status: 200, body: [] };
      if (asked.startsWith('/images/create')) return { status: 200, body: { error: 'denied' } };
      return undefined;
    });
  });

  afterEach(async () => {
    await service?.remove();
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  });

  const pull = async (image: string) => {
    service = await temporaryHost({
      runtime: 'container',
      engineEnvironment: { ...engine.environment, HOME: folder, XDG_RUNTIME_DIR: folder },
    });
    const owner = service.as('0xowner');
    const { id } = await deploy(owner, containerSdl('true', { image }));
    const lines = await waitFor(async () => {
      const all = await readLines(owner, id);
      expect(all.some((line) => line.startsWith('cannot start: '))).toBe(true);
      return all;
    });
    const asked = engine.asked.find((each) => each.path.startsWith('/images/create'));
    return { lines, asked };
  };

  it('is pulled with the stored login, which is not logged', async () => {
    const stored = { auths: { 'docker.io': auth('me', 'secret') } };
    await mkdir(path.join(folder, 'containers'));
    await writeFile(path.join(folder, 'containers/auth.json'), JSON.stringify(stored));
    const { lines, asked } = await pull('team/app');
    expect(new URL(asked?.path ?? '', 'http://engine').searchParams.get('fromImage')).toBe(
      'docker.io/team/app:latest',
    );
    expect(asked?.path).not.toContain('secret');
    const header = String(asked?.headers['x-registry-auth']);
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
      username: 'me',
      password: 'secret',
      serveraddress: 'https://index.docker.io/v1/',
    });
    expect(lines).toContain("cannot start: can't pull image team/app:latest: denied");
    expect(lines.join('\n')).not.toMatch(/secret|bWU6c2VjcmV0/);
  });

  it('is pulled without a login that a helper stores, and logs that', async () => {
    const stored = { auths: { 'r.example': {} }, credsStore: 'desktop' };
    await mkdir(path.join(folder, '.docker'));
    await writeFile(path.join(folder, '.docker/config.json'), JSON.stringify(stored));
    const { lines, asked } = await pull('r.example/app:1');
    expect(asked?.headers).not.toHaveProperty('x-registry-auth');
    expect(lines).toContain(
      "cannot start: can't pull image r.example/app:1: denied (its login is stored by docker-credential-desktop, which is not supported)",
    );
  });

  it('is pulled with the current login, and without an unreadable one', async () => {
    const env = { REGISTRY_AUTH_FILE: path.join(folder, 'auth.json'), XDG_RUNTIME_DIR: folder };
    expect(await findLogin('r.example/app', env)).toEqual({ helper: undefined });
    await writeFile(env.REGISTRY_AUTH_FILE, '{');
    expect(await findLogin('r.example/app', env)).toEqual({ helper: undefined });
    const stored = { auths: { 'r.example': auth('me', 'x') } };
    await writeFile(env.REGISTRY_AUTH_FILE, JSON.stringify(stored));
    expect((await findLogin('r.example/app', env)).credentials?.username).toBe('me');
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findEngineEndpoints, isUnguarded } from '../../../source/host/engine/engine-place.ts';

const addresses = (env: Record<string, string>) => {
  const places = findEngineEndpoints(env);
  return 'failure' in places ? places.failure : places.map(({ address }) => address);
};

/** Creates a folder for `DOCKER_CERT_PATH`. */
function certificateFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdeck-certificates-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['ca', 'cert', 'key']) writeFileSync(path.join(folder, `${name}.pem`), name);
  return folder;
}

describe('the endpoints of an engine', () => {
  it('are the usual sockets, Docker first', () => {
    expect(addresses({ HOME: '/h', XDG_RUNTIME_DIR: '/r' })).toEqual([
      'unix:///var/run/docker.sock',
      'unix:///r/docker.sock',
      'unix:///r/podman/podman.sock',
      'unix:///h/.docker/run/docker.sock',
      'unix:///run/podman/podman.sock',
    ]);
  });

  it('are only the one in DOCKER_HOST', () => {
    expect(findEngineEndpoints({ DOCKER_HOST: 'unix:///a/b.sock' })).toEqual([
      { address: 'unix:///a/b.sock', socketPath: '/a/b.sock' },
    ]);
    expect(findEngineEndpoints({ DOCKER_HOST: 'tcp://127.0.0.1:99' })).toEqual([
      { address: 'tcp://127.0.0.1:99', origin: 'http://127.0.0.1:99', certificates: undefined },
    ]);
    expect(findEngineEndpoints({ DOCKER_HOST: 'tcp://[::1]' })).toMatchObject([
      { origin: 'http://[::1]:2375' },
    ]);
    expect(
      findEngineEndpoints({ DOCKER_HOST: 'there.example', DOCKER_TLS_VERIFY: '1' }),
    ).toMatchObject([{ address: 'tcp://there.example', origin: 'https://there.example:2376' }]);
  });

  it.each(['ssh://me@there', 'unix://', 'tcp://', 'no host'])(
    'fail with the reason when DOCKER_HOST is %j',
    (named) => {
      expect(addresses({ DOCKER_HOST: named })).toMatch(/^DOCKER_HOST must be/);
    },
  );

  it('fail without the certificates in DOCKER_CERT_PATH', () => {
    expect(addresses({ DOCKER_HOST: 'https://there', DOCKER_CERT_PATH: '/nowhere' })).toMatch(
      /^DOCKER_CERT_PATH has no readable/,
    );
  });
});

describe('an engine is unguarded', () => {
  const isFirstUnguarded = (env: Record<string, string>) => {
    const places = findEngineEndpoints(env);
    const [place] = 'failure' in places ? [] : places;
    return place && isUnguarded(place);
  };

  it.each([
    ['on TCP', { DOCKER_HOST: 'tcp://127.0.0.1:2375' }, true],
    ['on TCP elsewhere', { DOCKER_HOST: 'there.example' }, true],
    ['behind TLS that asks for no certificate', { DOCKER_HOST: 'https://there.example' }, true],
    ['on a socket: not', { DOCKER_HOST: 'unix:///a/b.sock' }, false],
    ['on a usual socket: not', { HOME: '/h' }, false],
  ])('%s', (_, env, unguarded) => {
    expect(isFirstUnguarded(env as unknown as Record<string, string>)).toBe(unguarded);
  });

  it('with client certificates: not', () => {
    const env = { DOCKER_HOST: 'tcp://there.example', DOCKER_CERT_PATH: certificateFolder() };
    expect(isFirstUnguarded({ ...env, DOCKER_TLS_VERIFY: '1' })).toBe(false);
    // No certificate is sent without TLS.
    expect(isFirstUnguarded(env)).toBe(true);
  });
});

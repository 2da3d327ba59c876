import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  engineVolumeName,
  hasEngineVolumes,
  volumeOptions,
} from '../../../source/host/runtime/container-volumes.ts';
import type { RunVolume } from '../../../source/host/runtime/runtime.ts';

const position = { line: 1, column: 1 };

const instanceOf = (name: string, instance: number) => ({
  deployment: '123e4567-e89b-12d3-a456-426614174000-1',
  service: { name, command: [], args: [], env: {}, expose: [], count: 1, dependsOn: [], position },
  instance,
});

const ownerOf = (service: string, instance: number) => ({
  deployment: '123e4567-e89b-12d3-a456-426614174000-1',
  service,
  instance,
});

const name = fc.stringMatching(/^[a-z0-9](?:[a-z0-9._-]{0,4}[a-z0-9])?$/);

const volume = (more: Partial<RunVolume>): RunVolume => ({
  name: 'data',
  mount: '/data',
  readOnly: false,
  kind: 'persistent',
  size: 1024,
  place: { root: '/', segments: [] },
  ...more,
});

describe('the name of a volume on the engine', () => {
  it('is valid, and differs for each host, service, instance and volume', () => {
    const key = fc.tuple(name, name, fc.integer({ min: 1, max: 12 }), name);
    const nameOf = ([host, service, instance, each]: readonly [string, string, number, string]) =>
      engineVolumeName(host, ownerOf(service, instance), each);
    fc.assert(
      fc.property(key, key, (one, other) => {
        // The names that Docker accepts (VolumeCreate); file systems limit them to 255 bytes.
        expect(nameOf(one)).toMatch(/^[a-zA-Z0-9][a-zA-Z0-9_.-]{1,254}$/);
        expect(nameOf(one) === nameOf(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
    const longest = 'a'.repeat(63);
    expect(nameOf(['h', longest, 1000, longest]).length).toBeLessThan(255);
  });

  it('differs where the readable parts are the same', () => {
    expect(engineVolumeName('h', ownerOf('a-1', 1), 'b')).not.toBe(
      engineVolumeName('h', ownerOf('a', 1), '1-b'),
    );
  });
});

it('an engine may have volumes of services with an image and a persistent volume only', () => {
  const { service } = instanceOf('web', 1);
  const withVolume = (kind: RunVolume['kind']) => ({ ...service, volumes: [volume({ kind })] });
  expect(hasEngineVolumes([service, withVolume('persistent')])).toBe(false);
  expect(hasEngineVolumes([{ ...withVolume('temporary'), image: 'a' }])).toBe(false);
  expect(hasEngineVolumes([service, { ...withVolume('persistent'), image: 'a' }])).toBe(true);
});

describe('the options of a container with volumes', () => {
  const optionsOf = (...volumes: readonly RunVolume[]) =>
    volumeOptions('h', { ...instanceOf('web', 1), volumes });

  it('are absent without any', () => {
    expect(optionsOf()).toEqual({ config: {}, hostConfig: {} });
  });

  it('mount each kind where it belongs', () => {
    const source = engineVolumeName('h', ownerOf('web', 1), 'data');
    expect(
      optionsOf(
        volume({}),
        volume({ mount: '/conf', readOnly: true }),
        volume({ mount: '/cache', kind: 'temporary' }),
        volume({ mount: '/dev/shm', kind: 'memory' }),
        volume({ mount: '/memory', kind: 'memory', size: undefined }),
        volume({ mount: '/none', kind: 'temporary', readOnly: true }),
      ),
    ).toEqual({
      config: { Volumes: { '/cache': {} } },
      hostConfig: {
        Binds: [`${source}:/data`, `${source}:/conf:ro`],
        Tmpfs: { '/memory': 'exec,mode=1777', '/none': 'ro,size=1024' },
        ShmSize: 1024,
      },
    });
  });

  it('leave the size of shared memory to the engine when it is unreadable', () => {
    const shared = volume({ mount: '/dev/shm', kind: 'memory', size: undefined });
    expect(optionsOf(shared).hostConfig).toEqual({ Tmpfs: { '/dev/shm': 'exec,mode=1777' } });
  });
});

import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findMountMistake,
  isInside,
  normaliseMount,
} from '../../../source/contract/sdl/mount-path.ts';
import { volumeVariable } from '../../../source/contract/sdl/volumes.ts';

const segment = fc.oneof(
  fc.constantFrom(
    '',
    '.',
    '..',
    'app',
    'dev',
    'shm',
    'proc',
    'sys',
    'usr',
    'data',
    'a b',
    'é',
    ',',
  ),
  fc.string({ maxLength: 4 }),
);

const text = fc
  .tuple(fc.constantFrom('/', '', '//'), fc.array(segment, { maxLength: 5 }))
  .map(([start, segments]) => `${start}${segments.join('/')}`);

const forbidden = ['/dev', '/proc', '/sys'];

describe('an accepted mount', () => {
  it('is a folder of its own below the root, for every text', () => {
    fc.assert(
      fc.property(text, fc.boolean(), (written, hasImage) => {
        if (findMountMistake(written, hasImage) !== undefined) return;
        const mount = normaliseMount(written);
        // Node resolves the same path, so nothing in it leads elsewhere.
        expect(path.posix.resolve(written)).toBe(mount);
        expect(normaliseMount(mount)).toBe(mount);
        expect(findMountMistake(mount, hasImage)).toBeUndefined();
        expect(mount).not.toMatch(/[\p{Cc},:"\\]/u);
        expect(['/', '/app']).not.toContain(mount);
        const isShared = mount === '/dev/shm' || isInside(mount, '/dev/shm');
        for (const folder of forbidden) {
          expect(mount === folder || (isInside(mount, folder) && !isShared)).toBe(false);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('has at most 1024 bytes, in any letters', () => {
    expect(findMountMistake(`/${'é'.repeat(511)}`, true)).toBeUndefined();
    expect(findMountMistake(`/${'é'.repeat(512)}`, true)).toBe('a path of at most 1024 bytes');
  });

  it('leaves out paths of containers that other mounts of processes have', () => {
    for (const mount of ['/app/data', '/etc/letsencrypt', '/usr/share/nginx/html', '/opt/data']) {
      expect(findMountMistake(mount, true)).toBeUndefined();
      expect(findMountMistake(mount, false)).toContain('without an image');
    }
  });
});

describe('the variable of a volume', () => {
  it('has a name that every shell can set', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(volumeVariable(name)).toMatch(/^HOSTDECK_VOLUME_[A-Z0-9_]*$/);
      }),
    );
    expect(volumeVariable('blog-data.v2')).toBe('HOSTDECK_VOLUME_BLOG_DATA_V2');
  });
});

import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePath } from '../../../source/host/files/confine.ts';

const pieces = fc.constantFrom(
  '..',
  '.',
  '',
  'a',
  '...',
  '..a',
  ' ',
  '\\',
  '\0',
  '%2e%2e',
  '~',
  'é',
);

describe('a path', () => {
  it('that is accepted stays inside the root and means the same everywhere', () => {
    fc.assert(
      fc.property(
        fc.array(pieces).map((all) => all.join('/')),
        (text) => {
          let segments: readonly string[];
          try {
            segments = parsePath(text);
          } catch (error) {
            expect(error).toMatchObject({ status: 422, code: 'invalid' });
            return;
          }
          expect(segments.join('/')).toBe(text);
          expect(path.posix.normalize(`/service/${text}`)).toBe(`/service/${text}`);
          expect(path.win32.normalize(`C:\\root\\${text}`)).toBe(
            `C:\\root\\${segments.join('\\')}`,
          );
        },
      ),
    );
  });

  it.each([
    ['', 'nothing'],
    ['/etc/passwd', 'an absolute path'],
    ['a/../b', 'a way up'],
    ['..', 'the parent'],
    ['a//b', 'an empty segment'],
    ['a/', 'a folder'],
    ['./a', 'a dot'],
    ['a\\b', 'a backslash'],
    ['a\0', 'a NUL'],
    ['\ud800', 'a lone surrogate'],
    ['n'.repeat(256), 'a name that is too long'],
    ['é'.repeat(128), 'a name of too many bytes'],
    [Array.from({ length: 40 }, () => 'n'.repeat(100)).join('/'), 'a path that is too long'],
    [Array.from({ length: 129 }, () => 'n').join('/'), 'a path of too many folders'],
  ])('%j is refused: %s', (text) => {
    expect(() => parsePath(text)).toThrow(expect.objectContaining({ status: 422 }));
  });

  it.each(['a', 'a/b.txt', '...', '..a', 'a b', '%2e%2e', 'n'.repeat(255), 'files/rename', '-rf'])(
    '%j is accepted',
    (text) => {
      expect(parsePath(text).join('/')).toBe(text);
    },
  );
});

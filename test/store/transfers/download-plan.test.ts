import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { FileRecord } from '../../../source/contract/files.ts';
import { planDownload } from '../../../source/store/transfers/download-plan.ts';
import { parseLocalName } from '../../../source/store/transfers/local-name.ts';
import { codePoint } from '../../support/code-point.ts';

const place = { deploymentId: 'shop', service: 'web' };
const unix = { windows: false, caseless: false };
const windows = { windows: true, caseless: true };

function records(...paths: readonly string[]): readonly FileRecord[] {
  return paths.map((each) => ({ path: each }));
}

function plan(
  paths: readonly string[],
  listed: readonly FileRecord[],
  naming = unix,
  name?: string,
) {
  const { items, leftOut } = planDownload({ place, paths, folder: '/to', name }, listed, naming);
  return {
    items: items.map((item) => [item.path, item.segments.join('/')]),
    leftOut: leftOut.map((each) => [each.path, each.reason]),
  };
}

describe('a planned download', () => {
  const listed = [
    ...records('a.txt', 'config/app.yaml', 'config/deep/x', 'configure'),
    { path: 'config/', directory: true },
  ];

  it('of a file contains that file', () => {
    expect(plan(['config/app.yaml'], listed).items).toEqual([['config/app.yaml', 'app.yaml']]);
  });

  it('of a folder contains its files in a folder of the same name', () => {
    expect(plan(['config'], listed).items).toEqual([
      ['config/app.yaml', 'config/app.yaml'],
      ['config/deep/x', 'config/deep/x'],
    ]);
    expect(plan(['config/deep/'], listed).items).toEqual([['config/deep/x', 'deep/x']]);
  });

  it('of a service contains everything', () => {
    expect(plan([''], listed).items).toHaveLength(4);
  });

  it('uses another name', () => {
    expect(plan(['config/app.yaml'], listed, unix, 'b.yaml').items).toEqual([
      ['config/app.yaml', 'b.yaml'],
    ]);
    expect(plan(['config/app.yaml'], listed, unix, '../b').items).toEqual([]);
  });

  it('of several paths contains each file once, each at its own place', () => {
    expect(plan(['config', 'config/app.yaml', 'a.txt'], listed).items).toHaveLength(3);
    expect(plan(['x/a', 'y/a'], records('x/a', 'y/a'))).toEqual({
      items: [['x/a', 'a']],
      leftOut: [['y/a', 'another file has the same name']],
    });
    expect(plan([''], records('A', 'a'), windows).leftOut).toEqual([
      ['a', 'another file has the same name'],
    ]);
    expect(plan([''], records('a', 'a/b')).leftOut).toEqual([
      ['a/b', 'a file has the name of its folder'],
    ]);
    expect(plan([''], records('a/b', 'a')).leftOut).toEqual([['a', 'a folder has the same name']]);
  });
});

describe('names from a service', () => {
  test.each(['..', '../x', '/etc/passwd', 'a/../../x', './a', 'a//b', 'a/', '', 'a\0b', '\ud800'])(
    '%j is left out',
    (name) => {
      expect(parseLocalName(name, unix).ok).toBe(false);
      expect(plan([''], records(name)).items).toEqual([]);
    },
  );

  test.each([
    'C:\\x',
    '..\\x',
    'a\\..\\..\\x',
    'c:x',
    'NUL',
    'con.txt',
    'a/aux',
    'a.',
    'a ',
    'a\tb',
  ])('%j is left out on Windows', (name) => {
    expect(parseLocalName(name, windows).ok).toBe(false);
    expect(parseLocalName(name, unix).ok).toBe(true);
  });

  test('never lead out of the chosen folder', () => {
    const segment = fc.oneof(
      fc.constantFrom('..', '.', '', '~', 'C:', '\\', '..\\..', '\0', 'NUL', 'a', 'b'),
      fc.string({ unit: codePoint, maxLength: 5 }),
    );
    const name = fc.array(segment, { maxLength: 4 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(
        fc.array(name, { maxLength: 5 }),
        name,
        fc.boolean(),
        (listed, top, onWindows) => {
          const system = onWindows ? path.win32 : path.posix;
          const folder = onWindows ? 'C:\\to\\here' : '/to/here';
          const naming = onWindows ? windows : unix;
          const paths = ['', top];
          const made = planDownload(
            { place, paths, folder, name: top },
            records(...listed),
            naming,
          );
          for (const { segments } of made.items) {
            const target = system.resolve(folder, ...segments);
            expect(target.startsWith(folder + system.sep)).toBe(true);
            expect(system.relative(folder, target).split(system.sep)).toEqual(segments);
          }
          expect(made.items.length + made.leftOut.length).toBe(new Set(listed).size);
        },
      ),
    );
  });
});

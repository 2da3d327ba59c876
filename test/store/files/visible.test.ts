import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileRecord } from '../../../source/contract/files.ts';
import { firstMatch, pathsOf, visibleFiles } from '../../../source/store/files/visible.ts';
import { read } from '../requests.ts';

const folded = { startsFolded: true, toggled: new Set<string>() };
const unfolded = { startsFolded: false, toggled: new Set<string>() };

describe('visible files', () => {
  const rows = ['config/app.yaml', 'config/nginx.conf', 'public/app/logo.png', 'app.ts'].map(
    (path) => read<FileRecord>({ path }),
  );
  const visible = (typed: string) => visibleFiles(rows, typed, folded).map((row) => row.path);

  it('are the folded tree without a filter', () => {
    expect(visible('')).toEqual(['config', 'public', 'app.ts']);
  });

  it('are unfolded down to the matches', () => {
    expect(visible('nginx')).toEqual(['config', 'config/nginx.conf']);
    expect(visible('!app')).toEqual(['config', 'config/nginx.conf']);
  });

  it('depend only on listing, filter and folds, in any sequence of calls', () => {
    const folders = fc.uniqueArray(fc.constantFrom('config', 'public', 'public/app'));
    const ask = fc.record({
      typed: fc.constantFrom('', ' ', 'a', 'app', 'app.', 'g', 'ng', 'nginx', '!a', '!app'),
      startsFolded: fc.boolean(),
      toggled: folders.map((some) => new Set(some)),
    });
    fc.assert(
      fc.property(fc.array(ask, { minLength: 1, maxLength: 6 }), (asked) => {
        for (const { typed, ...folds } of asked) {
          const shown = visibleFiles(rows, typed, folds);
          expect(visibleFiles([...rows], typed, folds)).toEqual(shown);
          expect(visibleFiles(rows, typed, folds)).toBe(shown);
          expect(pathsOf(shown)).toEqual(shown.map(({ path }) => path));
        }
      }),
    );
  });

  it('keep their array while neither the listing nor the filter changes', () => {
    const filtered = visibleFiles(rows, 'app', folded);
    expect(visibleFiles(rows, 'app', unfolded)).toBe(filtered);
    expect(visible('app.ts')).toEqual(['app.ts']);
    expect(visible('app')).toEqual(filtered.map((row) => row.path));
    expect(visibleFiles([...rows].slice(3), 'app', folded)).toHaveLength(1);
  });

  it('keep their array while further letters hide no row', () => {
    const config = visibleFiles(rows, 'config', folded);
    expect(config).toHaveLength(3);
    expect(visibleFiles(rows, 'config/', folded)).toBe(config);
    expect(visible('config/a')).toEqual(['config', 'config/app.yaml']);
  });

  it('start the cursor on the first matching file, not on a folder above it', () => {
    const first = (typed: string) => visible(typed)[firstMatch(visibleFiles(rows, typed, folded))];
    expect(first('nginx')).toBe('config/nginx.conf');
    expect(first('app')).toBe('config/app.yaml');
    expect(first('nothing')).toBeUndefined();
  });

  it('start the cursor on a listed directory where no file matches', () => {
    const listed = [read<FileRecord>({ path: 'var/log', directory: true })];
    expect(firstMatch(visibleFiles(listed, 'log', folded))).toBe(1);
  });

  it('start the cursor on a row that matches, for any filter', () => {
    const typedArbitrary = fc.constantFrom('a', 'app', 'g', 'config', '!app', 'zzz', 'o !n');
    fc.assert(
      fc.property(fc.subarray(rows), typedArbitrary, (some, typed) => {
        const shown = visibleFiles(some, typed, folded);
        const row = shown[firstMatch(shown)];
        expect(row === undefined).toBe(shown.length === 0);
        if (row !== undefined) expect(row.record?.path).toBe(row.path);
      }),
    );
  });
});

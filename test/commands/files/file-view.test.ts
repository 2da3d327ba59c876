import { describe, expect, it } from 'vitest';
import { filesUnder, fileView } from '../../../source/commands/files/list.ts';
import { tsvLines } from '../../../source/commands/output/record-table.ts';

const file = (path: string, more = {}) => ({ value: { path, ...more }, unknown: {} });

describe('the files of a list', () => {
  it('are in the order of their folders', () => {
    const paths = ['a.txt', 'a/c', 'a-b', 'a/b/d', 'b'];
    expect(
      filesUnder(
        paths.map((path) => file(path)),
        '',
      ).map(({ value }) => value.path),
    ).toEqual(['a/b/d', 'a/c', 'a-b', 'a.txt', 'b']);
  });

  it('are those at a path and below it', () => {
    const files = ['config', 'config/app.yaml', 'config.bak'].map((path) => file(path));
    for (const path of ['config', 'config/']) {
      expect(filesUnder(files, path).map(({ value }) => value.path)).toEqual([
        'config',
        'config/app.yaml',
      ]);
    }
    expect(filesUnder(files, 'conf')).toEqual([]);
  });

  it('keep paths that no request can name', () => {
    const paths = ['../up', 'a//b', '/etc/x'];
    const found = filesUnder(
      paths.map((path) => file(path)),
      '',
    ).map(({ value }) => value.path);
    expect(found.toSorted()).toEqual(paths.toSorted());
  });

  it('are lines of path, bytes and time', () => {
    const files = [
      file('a\tb', { size: 1234, modifiedAt: '2026-01-01T00:00:00Z' }),
      file('c', { directory: true }),
    ];
    expect(tsvLines(files, fileView.columns)).toEqual([
      'a\\tb\t1234\t2026-01-01T00:00:00Z',
      'c/\t\t',
    ]);
  });
});

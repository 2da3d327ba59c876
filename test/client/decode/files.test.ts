import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeFile } from '../../../source/client/decode/files.ts';
import { anyText } from '../any-text.ts';

function read(record: unknown) {
  const file = decodeFile(record, 'files[0]');
  if (!file.ok) throw new Error(`${file.field} ${file.problem}`);
  return file.value;
}

test.each([
  ['a plain path', 'config/app.yaml'],
  ['path', { path: 'config/app.yaml' }],
  ['name', { name: 'config/app.yaml' }],
  ['filePath', { filePath: 'config/app.yaml' }],
  ['file_path', { file_path: 'config/app.yaml' }],
])('a file is read from %s', (_, record) => {
  expect(read(record).value.path).toBe('config/app.yaml');
});

test('a path has priority over a name, which stays an unknown field', () => {
  expect(read({ name: 'app.yaml', path: 'config/app.yaml' })).toMatchObject({
    value: { path: 'config/app.yaml' },
    unknown: { name: 'app.yaml' },
  });
});

test('a time without a zone is in UTC', () => {
  const { value } = read({ path: 'a', modifiedAt: '2026-01-01 00:00:00.5' });
  expect(value.modifiedAt).toBe('2026-01-01T00:00:00.5Z');
});

test('size and time are decoded under their usual names', () => {
  const times = ['modifiedAt', 'modified_at', 'mtime', 'updatedAt', 'last_modified'];
  for (const name of times) {
    const { value } = read({ path: 'a', size: 3, [name]: '2026-01-01T00:00:00Z' });
    expect(value).toMatchObject({ size: 3, modifiedAt: '2026-01-01T00:00:00Z' });
  }
});

test.each([
  ['a slash at the end', 'config/'],
  ['a slash at the end of a record', { path: 'config/' }],
  ['type directory', { path: 'config', type: 'directory' }],
  ['type folder', { name: 'config', type: 'folder' }],
  ['isDirectory', { path: 'config', isDirectory: true }],
  ['is_dir', { path: 'config', is_dir: true }],
])('a directory is recognised by %s', (_, record) => {
  expect(read(record).value).toMatchObject({ path: 'config', directory: true });
});

test('other kinds stay unknown fields', () => {
  expect(read({ path: 'a', type: 'symlink' })).toMatchObject({ unknown: { type: 'symlink' } });
});

test.each([
  [{}, 'files[0].path', 'is missing'],
  [{ name: 3 }, 'files[0].name', 'is not a string'],
  ['', 'files[0]', 'is not a path or an object'],
  [null, 'files[0]', 'is not a path or an object'],
])('%j is rejected with the failing field', (record, field, problem) => {
  expect(decodeFile(record, 'files[0]')).toEqual({ ok: false, field, problem });
});

test('every path is kept unchanged, and no JSON value throws', () => {
  const path = anyText.filter((text) => text !== '' && !text.endsWith('/'));
  fc.assert(
    fc.property(path, (text) => {
      expect(read(text).value.path).toBe(text);
      expect(read({ path: text, size: 0 }).value).toEqual({ path: text, size: 0 });
    }),
  );
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      expect(typeof decodeFile(json, '').ok).toBe('boolean');
    }),
    { numRuns: 500 },
  );
});

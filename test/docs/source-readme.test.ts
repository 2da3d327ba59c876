import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const source = path.resolve(import.meta.dirname, '../../source');
const guide = readFileSync(path.join(source, 'README.md'), 'utf8');

test('the guide answers where things are with files that exist', () => {
  const [, questions = ''] = /## Where is \.\.\.\?([^]*?)\n## /.exec(guide) ?? [];
  const files = [...questions.matchAll(/\| `([\w/.-]+)`/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThanOrEqual(15);
  expect(files.filter((file) => !existsSync(path.join(source, file)))).toEqual([]);
});

test('the journeys of the guide name files that exist', () => {
  const [, journeys = ''] = /## Two journeys([^]*?)\n## /.exec(guide) ?? [];
  const files = [...journeys.matchAll(/`([\w-]+\/[\w/.-]+)`/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(15);
  expect(files.filter((file) => !existsSync(path.join(source, file)))).toEqual([]);
});

test('the guide names every room, and every room has a README', () => {
  const rooms = readdirSync(source).filter((name) =>
    statSync(path.join(source, name)).isDirectory(),
  );
  expect(rooms.filter((room) => !new RegExp(`\\| \`${room}/\` +\\|`).test(guide))).toEqual([]);
  expect(rooms.filter((room) => !existsSync(path.join(source, room, 'README.md')))).toEqual([]);
});

test('every README in source names files that exist from its folder, its room, source or the root', () => {
  const root = path.dirname(source);
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).map((file) =>
    path.join('source', file),
  );
  const named = files
    .filter((file) => path.basename(file) === 'README.md')
    .flatMap((readme) =>
      [...readFileSync(path.join(root, readme), 'utf8').matchAll(/`([\w./-]+\.tsx?)`/g)].map(
        ([, file = '']) => ({ folder: path.dirname(readme), file }),
      ),
    );
  expect(named.length).toBeGreaterThan(100);
  const exists = ({ folder, file }: { folder: string; file: string }): boolean =>
    ['.', 'source', folder.split('/', 2).join('/'), folder, '.config'].some((base) =>
      existsSync(path.join(root, base, file)),
    ) || files.some((one) => one.startsWith(`${folder}/`) && one.endsWith(`/${file}`));
  expect(named.filter((one) => !exists(one))).toEqual([]);
});

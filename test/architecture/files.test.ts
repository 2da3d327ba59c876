import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesBelow, root, sources, tests, textOf, withoutComments } from './sources.ts';

/** Names that say nothing about a file. */
const vagueNames = new Set(['utils', 'helpers', 'common', 'types', 'index']);

/** Folders of a developer's machine, spelled so that this file does not name them. */
const machineFolders = ['work', 'root', 'home'].map((folder) => `/${folder}/`);

/** Most modules of one folder, below which a listing still fits a screen. */
const mostFiles = 30;

/** Folders with more modules, and today's counts of them, which only fall. */
const crowdedFolders: Readonly<Record<string, number>> = {
  'source/view/shell': 38,
  'source/editor': 35,
  'source/view/log': 34,
  'source/view/text': 32,
};

/** Files and folders of the top level. */
const topLevel = new Set([
  '.biome.json',
  '.ci',
  '.config',
  '.gitignore',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'docs',
  'package-lock.json',
  'package.json',
  'source',
  'test',
  'tsconfig.json',
]);

const modules = new Set(['.ts', '.tsx']);

function isWellNamed(file: string): boolean {
  const [name = ''] = path.basename(file).split('.');
  if (!modules.has(path.extname(file))) return true;
  return /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && !vagueNames.has(name);
}

describe('the files', () => {
  test('of source lie in rooms: beside them there is only the README', () => {
    const loose = filesBelow('source').filter((file) => path.dirname(file) === 'source');
    expect(loose).toEqual(['source/README.md']);
  });

  test('of the repository hold no build and nothing that a test left behind', () => {
    const listed = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' });
    const top = new Set(listed.split('\n').map((file) => file.split('/')[0] ?? ''));
    expect([...top].filter((name) => name !== '' && !topLevel.has(name))).toEqual([]);
  });

  test('are at most 30 in a folder of source', () => {
    const counts = new Map<string, number>();
    for (const file of sources) {
      const folder = path.dirname(file);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    const crowded = [...counts].filter(
      ([folder, count]) => count > (crowdedFolders[folder] ?? mostFiles),
    );
    expect(crowded).toEqual([]);
  });

  test('of source export by name only', () => {
    const byDefault = /^export default\b|\bas default\b/m;
    expect(sources.filter((file) => byDefault.test(withoutComments(textOf(file))))).toEqual([]);
  });

  test('have names in kebab-case that name a thing', () => {
    expect([...sources, ...tests].filter((file) => !isWellNamed(file))).toEqual([]);
    expect(isWellNamed('source/store/file-tree.ts')).toBe(true);
    expect(isWellNamed('source/store/fileTree.ts')).toBe(false);
    expect(isWellNamed('source/store/utils.ts')).toBe(false);
  });

  test('name no folder of a developer’s machine', () => {
    const found = [...filesBelow('source'), ...tests, ...filesBelow('.config')].filter((file) =>
      machineFolders.some((folder) => textOf(file).includes(folder)),
    );
    expect(found).toEqual([]);
  });

  test('of source have a readable size', () => {
    const sizes = sources.map((file) => ({ file, lines: textOf(file).split('\n').length - 1 }));
    expect(sizes.filter(({ lines }) => lines > 600)).toEqual([]);
  });
});

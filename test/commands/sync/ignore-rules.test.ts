import { describe, expect, it } from 'vitest';
import { ignoreRulesIn, noIgnoreRules } from '../../../source/commands/sync/local-folder.ts';

/** Returns whether a path is ignored, with the folders above it asked first, as a walk does. */
function isIgnored(files: Readonly<Record<string, string>>, path: string): boolean {
  let rules = noIgnoreRules();
  const parts = path.replace(/\/$/, '').split('/');
  for (let depth = 0; depth < parts.length; depth += 1) {
    const folder = parts.slice(0, depth).join('/');
    const text = files[folder];
    if (text !== undefined) rules = ignoreRulesIn(folder, text, rules);
    const isLast = depth === parts.length - 1;
    const isFolder = !isLast || path.endsWith('/');
    if (rules.ignores(`${parts.slice(0, depth + 1).join('/')}${isFolder ? '/' : ''}`)) return true;
  }
  return false;
}

describe('ignore files', () => {
  it.each([
    ['*.log', 'a.log', true],
    ['*.log', 'deep/er/a.log', true],
    ['*.log', 'a.LOG', false],
    ['/a', 'a', true],
    ['/a', 'b/a', false],
    ['b/a', 'c/b/a', false],
    ['**/b/a', 'c/b/a', true],
    ['node_modules/', 'node_modules/x/y.js', true],
    ['node_modules/', 'node_modules', false],
    ['*\n!keep', 'keep', false],
    ['build\n!build/keep', 'build/keep', true],
    ['build/*\n!build/keep', 'build/keep', false],
    ['# comment\n\\#real', '#real', true],
    ['\\!really', '!really', true],
    ['a b', 'a b', true],
    ['a\r\nb\r\n', 'b', true],
    ['\u{feff}a', 'a', true],
  ])('%j on %s: %s', (text, path, ignored) => {
    expect(isIgnored({ '': text }, path)).toBe(ignored);
  });

  it('let the rules of a deeper folder win', () => {
    const files = { '': '*.log\nout/', a: '!a.log\n!out/' };
    expect(isIgnored(files, 'a/a.log')).toBe(false);
    expect(isIgnored(files, 'a/deep/a.log')).toBe(false);
    expect(isIgnored(files, 'a/b.log')).toBe(true);
    expect(isIgnored(files, 'a/out/x')).toBe(false);
    expect(isIgnored(files, 'out/x')).toBe(true);
  });

  it('bind patterns with a slash to their folder', () => {
    const files = { 'a/b': '/x\ny/z\n#c\n\\#d\n\\!e\nf\n' };
    const ignored = ['a/b/x', 'a/b/y/z', 'a/b/#d', 'a/b/!e', 'a/b/f', 'a/b/c/f'];
    for (const path of ignored) expect([path, isIgnored(files, path)]).toEqual([path, true]);
    for (const path of ['a/b/c/x', 'a/b/c/y/z', 'a/x', 'f', 'a/f', 'a/b/#c']) {
      expect([path, isIgnored(files, path)]).toEqual([path, false]);
    }
  });

  it.each(['[x]', 'a*', 'b?', '!c', '#d', 'e\\f', ' g '])(
    'count in a folder with the name %j alone',
    (folder) => {
      expect(isIgnored({ [folder]: '*.log' }, `${folder}/a.log`)).toBe(true);
      expect(isIgnored({ [folder]: '*.log' }, 'other/a.log')).toBe(false);
    },
  );
});

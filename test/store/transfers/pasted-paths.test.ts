import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parsePaths } from '../../../source/store/transfers/pasted-paths.ts';

const home = '/users/dana';

describe('pasted paths', () => {
  it.each<[string, string, readonly string[]]>([
    ['nothing', ' \n\t ', []],
    ['one path', '/tmp/a', ['/tmp/a']],
    ['several in a line', '/tmp/a  /tmp/b', ['/tmp/a', '/tmp/b']],
    ['one a line', '/tmp/a\r\n/tmp/b\n', ['/tmp/a', '/tmp/b']],
    ['relative ones', 'a b ./c ../d', ['a', 'b', './c', '../d']],
    ['home', '~ ~/x "~/x" \\~', [home, `${home}/x`, '~/x', '~']],
    ['another home', '~dana/x', ['~dana/x']],
    ['single quotes', `'/tmp/a b' '/tmp/c'`, ['/tmp/a b', '/tmp/c']],
    ['double quotes', `"/tmp/a \\"b\\" \\n"`, ['/tmp/a "b" \\n']],
    ['quotes within', `'/tmp/it'\\''s'`, [`/tmp/it's`]],
    ['an apostrophe', `/tmp/it's\n/tmp/he's`, [`/tmp/it's`, `/tmp/he's`]],
    ['escapes', String.raw`/tmp/a\ b\(1\) /tmp/c\\d`, ['/tmp/a b(1)', String.raw`/tmp/c\d`]],
    ['a backslash at the end', '/tmp/a\\', ['/tmp/a\\']],
    ['spaces left as they are', '/tmp/My  Files/a.txt /tmp/b', ['/tmp/My  Files/a.txt', '/tmp/b']],
    ['URLs', 'file:///tmp/a%20b file://localhost/tmp/%C3%BC', ['/tmp/a b', '/tmp/ü']],
    ['URLs elsewhere', 'file://other/tmp/a', ['file://other/tmp/a']],
    ['URLs that are none', 'file:///tmp/100%', ['/tmp/100%']],
    ['the same twice', `/tmp/a '/tmp/a'`, ['/tmp/a']],
  ])('%s', (_, text, paths) => {
    expect(parsePaths(text, home)).toEqual(paths);
  });
});

const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }).filter(
  // A line break in a name has no form in which terminals agree.
  (text) => !/[\r\n\0/]/.test(text) && text.isWellFormed(),
);
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `/${names.join('/')}`);

const forms: readonly ((path: string) => string)[] = [
  (text) => `'${text.replaceAll("'", `'\\''`)}'`,
  (text) => `"${text.replaceAll(/["\\$`]/g, String.raw`\$&`)}"`,
  (text) => text.replaceAll(/[\s"'\\]/g, String.raw`\$&`),
  (text) =>
    `file://${encodeURI(text).replaceAll(/['#?]/g, encodeURIComponent).replaceAll("'", '%27')}`,
];

test('each form in which terminals paste paths is parsed for any names', () => {
  const written = fc.tuple(path, fc.constantFrom(...forms));
  const separator = fc.constantFrom(' ', '\n', '\r\n', '  ');
  fc.assert(
    fc.property(fc.array(written, { maxLength: 4 }), separator, (all, between) => {
      const text = all.map(([each, form]) => form(each)).join(between);
      expect(parsePaths(text, home)).toEqual([...new Set(all.map(([each]) => each))]);
    }),
  );
});

test('any text is parsed quickly', () => {
  const odd = fc.string({ unit: fc.constantFrom(...'\'"\\ \n~/af:é'.split('')), maxLength: 40 });
  fc.assert(
    fc.property(odd, (text) => {
      for (const each of parsePaths(text, home)) expect(each).not.toBe('');
    }),
  );
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { completePath } from '../../../source/store/transfers/local-completion.ts';
import { parsePaths } from '../../../source/store/transfers/pasted-paths.ts';

const folders: Readonly<Record<string, readonly string[]>> = {
  '.': ['docs/', 'read me.txt', '.env'],
  '/mine/me/': ['My Documents/', 'notes.txt'],
  '/mine/me/My Documents/': ['tax.pdf'],
};
const local = { home: '/mine/me', list: async (folder: string) => folders[folder] ?? [] };

test.each([
  { text: '', to: ['docs/', String.raw`read\ me.txt`] },
  { text: '.', to: ['.env'] },
  { text: '~', to: ['~/'] },
  { text: '~/', to: [String.raw`~/My\ Documents/`, '~/notes.txt'] },
  { text: '~/My D', to: ['~/My Documents/', '~/notes.txt'] },
  { text: String.raw`~/My\ Documents/`, to: [String.raw`~/My\ Documents/tax.pdf`] },
  {
    text: '~/notes.txt ~/n',
    to: [String.raw`~/notes.txt ~/My\ Documents/`, '~/notes.txt ~/notes.txt'],
  },
  { text: '"~/', to: [] },
])('$text may become $to', async ({ text, to }) => {
  expect(await completePath(text, local, false)).toEqual(to);
});

test('completes only folders on request', async () => {
  expect(await completePath('~/', local, true)).toEqual([String.raw`~/My\ Documents/`]);
});

const name = fc.string({
  unit: fc.constantFrom('a', '.', ' ', "'", '"', '\\', '~', 'é'),
  minLength: 1,
  maxLength: 8,
});

test('a completed path is parsed as that path', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('/d/', '~/', './'), name, async (folder, file) => {
      const list = async () => [file];
      for (const text of await completePath(folder, { home: '/d', list }, false)) {
        const above = folder === '~/' ? '/d/' : folder;
        expect(parsePaths(text, '/d')).toEqual([above + file]);
      }
    }),
  );
});

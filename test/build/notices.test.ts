import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { bundledPackages, licenceNotices } from '../../.config/notices.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** A folder with packages by their folders in node_modules, and a file that imports each of them. */
async function project(packages: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const folder = await mkdtempDisposable(path.join(tmpdir(), 'notices-'));
  for (const [place, files] of Object.entries(packages)) {
    const own = path.join(folder.path, 'node_modules', place);
    mkdirSync(own, { recursive: true });
    const [name] = place.split('/node_modules/').slice(-1);
    writeFileSync(path.join(own, 'package.json'), JSON.stringify({ name, version: '1.2.3' }));
    writeFileSync(path.join(own, 'index.js'), `console.log('${place}');`);
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(own, file), text);
  }
  mkdirSync(path.join(folder.path, 'given'));
  return folder;
}

/** Bundles a file that imports these modules; returns the folders of their packages. */
async function packagesOf(folder: string, ...imported: readonly string[]) {
  const { metafile } = await build({
    absWorkingDir: folder,
    stdin: {
      contents: imported.map((name) => `import '${name}';`).join('\n'),
      resolveDir: folder,
    },
    bundle: true,
    write: false,
    metafile: true,
  });
  return bundledPackages(folder, [metafile]);
}

test('the notices hold the licences of what is bundled, each text once', async () => {
  await using folder = await project({
    one: { LICENSE: 'Text of one and two.  \r\nSecond line.\r\n' },
    two: { 'license.md': '\nText of one and two.\nSecond line.' },
    '@scope/three': { 'LICENSE-MIT.txt': 'Text of three.', NOTICE: 'Notice of three.' },
    'two/node_modules/inner': { COPYING: 'Text of inner.' },
    'not-bundled': {},
  });
  const inner = './node_modules/two/node_modules/inner/index.js';
  const packages = await packagesOf(folder.path, 'two', 'one', '@scope/three', inner);
  expect(licenceNotices(packages, path.join(folder.path, 'given')).split(/\n-+\n\n/)).toEqual([
    expect.stringContaining('hostdeck includes'),
    '@scope/three 1.2.3\n\nText of three.\n\nNotice of three.\n',
    'one 1.2.3\ntwo 1.2.3\n\nText of one and two.\nSecond line.\n',
    'inner 1.2.3\n\nText of inner.\n',
  ]);
});

test.each(['without', '@scope/without'])(
  'a package without a licence text (%s) fails the build, which names it',
  async (name) => {
    await using folder = await project({ [name]: { LICENSE: ' \n' } });
    const packages = await packagesOf(folder.path, name);
    const given = path.join(folder.path, 'given');
    const file = path.join(given, `${name.replace('/', '+')}.txt`);
    expect(() => licenceNotices(packages, given)).toThrow(
      `${name} 1.2.3 is bundled without a licence text. Put it into ${file}.`,
    );
    writeFileSync(file, 'The given text.');
    expect(licenceNotices(packages, given)).toContain('The given text.');
    expect(() => licenceNotices([], given)).toThrow(`No bundled package needs ${file}. Remove it.`);
  },
);

test('the published notices name every package that the source imports', () => {
  const notices = readFileSync(path.join(root, 'dist/THIRD-PARTY-NOTICES'), 'utf8');
  const named = new Set(
    [...notices.matchAll(/^(\S+) \d+\.\d+\.\d+\S*$/gm)].map(([, name]) => name),
  );
  const files = readdirSync(path.join(root, 'source'), { recursive: true, encoding: 'utf8' });
  const code = files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(path.join(root, 'source', file), 'utf8'))
    .join('\n');
  const imports =
    /^(?!import type).*(?:from |import\()'((?:@[\w-]+\/)?[a-z][\w.-]*)(?:\/[^']*)?'/gm;
  const imported = [...code.matchAll(imports)].map(([, name]) => name);
  expect(imported.length).toBeGreaterThan(100);
  expect([...new Set(imported)].filter((name) => !named.has(name))).toEqual([]);
  for (const text of ['Fedor Indutny', 'Facebook, Inc.', 'James Sumners']) {
    expect(notices).toContain(text);
  }
});

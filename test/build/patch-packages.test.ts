import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { assert, expect, test } from 'vitest';
import { loadBuiltinsLazily } from '../../.config/lazy-builtins.ts';
import { nameReactExports } from '../../.config/named-exports.ts';
import { type Patch, patchPackages } from '../../.config/patch-packages.ts';
import { packagePatches, replaceModules } from '../../.config/replacements.ts';

const root = path.resolve(import.meta.dirname, '../..');
const patches = packagePatches(root);

/** Leaves out what a file imports. */
const alone: Plugin = {
  name: 'alone',
  setup(bundle) {
    bundle.onResolve({ filter: /.*/ }, ({ path: asked, kind }) =>
      kind === 'entry-point' ? undefined : { path: asked, external: true },
    );
  },
};

/** Bundles one file of a package, as it would be in a project that has this text of it. */
async function bundle(file: string, text: string, plugins: readonly Plugin[]): Promise<string> {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'patches-'));
  const place = path.join(folder.path, 'node_modules', file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text);
  const { outputFiles } = await build({
    absWorkingDir: folder.path,
    entryPoints: [place],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    logLevel: 'silent',
    plugins: [...plugins],
  });
  return outputFiles[0]?.text ?? '';
}

const apply = (patch: Patch, text: string): Promise<string> =>
  bundle(patch.file, text, [patchPackages([patch]), alone]);

const textOf = (file: string): string =>
  readFileSync(path.join(root, 'node_modules', file), 'utf8');

/** The text with each word renamed that a pattern names in it. */
function renamed(text: string, pattern: RegExp): string {
  const [found] = pattern.exec(text) ?? [];
  assert(found !== undefined);
  const names = new Set(pattern.source.replaceAll(/\\[a-z]/g, ' ').match(/[a-z_$][\w$]{3,}/gi));
  assert(names.size > 0);
  const inOther = found.replaceAll(/[a-z_$][\w$]*/gi, (name) =>
    names.has(name) ? `${name}2` : name,
  );
  assert(inOther !== found);
  return text.replace(pattern, () => inOther);
}

const edits = patches.flatMap((patch) =>
  patch.edits.map(({ pattern }) => ({ patch, pattern, file: patch.file })),
);

test.each(patches)('the build patches $file', async (patch) => {
  const text = textOf(patch.file);
  const stock = await bundle(patch.file, text, [alone]);
  expect(await apply(patch, text)).not.toBe(stock);
});

test.each(edits)(
  'the build fails where $file renames what $pattern finds',
  async ({ patch, pattern, file }) => {
    const building = apply(patch, renamed(textOf(file), pattern));
    await expect(building).rejects.toThrow(`${file} has ${pattern} 0 times, not once.`);
  },
);

test.each(edits.filter(({ pattern }) => !pattern.source.startsWith('^')))(
  'the build fails where $file has $pattern twice',
  async ({ patch, pattern, file }) => {
    const text = textOf(file);
    const [found = ''] = pattern.exec(text) ?? [];
    // A later edit sees what an earlier one has left.
    const building = apply({ ...patch, edits: [{ pattern, by: '' }] }, `${text}\n${found}`);
    await expect(building).rejects.toThrow(`${file} has ${pattern} 2 times, not once.`);
  },
);

test.each(patches)('the build fails where no module is $file', async (patch) => {
  const elsewhere = patch.file.replace(/\w+\.js$/, 'elsewhere.js');
  const building = bundle(elsewhere, 'export {};', [patchPackages([patch]), alone]);
  await expect(building).rejects.toThrow(
    `${patch.file} is not bundled, so that its patch does nothing.`,
  );
});

test.each([
  ['string-width/index.js', 'replacement', replaceModules(root)],
  ['ink/build/output.js', 'replacement', replaceModules(root)],
  ['child_process', 'lazy stand-in', loadBuiltinsLazily],
  ['react', 'list of exports', nameReactExports(root)],
  ['react/jsx-runtime', 'list of exports', nameReactExports(root)],
])('the build fails where no module imports %s, which has a %s', async (module, change, plugin) => {
  const building = bundle('ink/build/other.js', "import 'node:fs';", [plugin, alone]);
  await expect(building).rejects.toThrow(
    `${module} is not bundled, so that its ${change} does nothing.`,
  );
});

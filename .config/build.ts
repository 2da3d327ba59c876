/**
 * Bundles source/ into dist/: one small entry, the rest in chunks that load on demand, with source
 * maps beside them that are not published. `--if-stale` builds only when a source file, the lock file
 * or a file of this folder is newer than the last build. `--dev` bundles without minifying, patching
 * or joining anything, for `npm run dev`.
 */
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { materials } from './bill-of-materials.ts';
import { bundleOptions, requireBanner, root } from './bundle-options.ts';
import { writeJoined } from './join-parts.ts';
import { loadBuiltinsLazily } from './lazy-builtins.ts';
import { bundledPackages, licenceNotices } from './notices.ts';
import { changedDependencies } from './replacements.ts';
import { writeScripts } from './script-parts.ts';
import { writeManual } from './write-manual.ts';

const stamp = path.join(root, 'dist', '.built');

/** Parts that the entry loads later lie beside it. */
const laterParts: Plugin = {
  name: 'later-parts',
  setup(bundle) {
    bundle.onResolve({ filter: /^\.{1,2}\/[\w/-]+\.ts$/ }, ({ path: file, kind }) =>
      kind === 'dynamic-import'
        ? { path: `./chunks/${path.basename(file, '.ts')}.js`, external: true }
        : undefined,
    );
  },
};

const options = {
  ...bundleOptions,
  sourcemap: 'external',
  metafile: true,
} as const satisfies BuildOptions;

async function isStale(): Promise<boolean> {
  const built = statSync(stamp, { throwIfNoEntry: false });
  if (built === undefined) return true;
  const sources = await readdir(path.join(root, 'source'), {
    recursive: true,
    withFileTypes: true,
  });
  const inputs = [
    ...(await readdir(import.meta.dirname, { recursive: true })).map((name) =>
      path.join(import.meta.dirname, name),
    ),
    path.join(root, 'package-lock.json'),
    path.join(root, 'package.json'),
    ...sources.map((entry) => path.join(entry.parentPath, entry.name)),
  ];
  return inputs.some((input) => statSync(input).mtimeMs > built.mtimeMs);
}

/** The program as it is published; source/start/README.md tells why each step is there. */
async function buildRelease(): Promise<void> {
  rmSync(path.join(root, 'dist'), { recursive: true, force: true });
  const outdir = 'dist/chunks';
  const split = await build({
    ...options,
    banner: {},
    // Inside the chunks, so that the maps of the joined ones begin at the source.
    sourcemap: 'inline',
    entryPoints: {
      run: 'source/start/run.ts',
      'command-line': 'source/start/command-line.ts',
    },
    outdir,
    chunkNames: '[name]-[hash]',
    splitting: true,
    metafile: true,
    write: false,
    plugins: [loadBuiltinsLazily, ...changedDependencies(root)],
  });
  const parts = ['run', 'mount', 'pool'];
  // Those that draw load Ink in any case: it must not move into the part that commands of a shell load.
  const patient = ['engine-client', 'tunnel', 'speaker', 'token-prompt', 'offer-unfinished'];
  await writeJoined(split, parts, patient, { ...options, outdir });
  // Node never evaluates a module again that failed, so a part that is retried can't be a script.
  const scripts = parts.filter((part) => part !== 'pool');
  await writeScripts(path.join(root, outdir), scripts, requireBanner);
  // One file for everything before the first frame: each further file would cost half a millisecond.
  // It has no CommonJS parts, and the check of the platform must run before anything else.
  const entry = await build({
    ...options,
    banner: {},
    entryPoints: { cli: 'source/start/cli.ts' },
    outdir: 'dist',
    plugins: [laterParts],
  });
  // A thread has an entry file of its own, and must load nothing that it shares with the start.
  const worker = await build({
    ...options,
    entryPoints: { 'log-worker': 'source/host/logs/log-worker.ts' },
    outdir,
  });
  const bundled = bundledPackages(root, [split.metafile, entry.metafile, worker.metafile]);
  const notices = licenceNotices(bundled, path.join(import.meta.dirname, 'licences'));
  writeFileSync(path.join(root, 'dist/THIRD-PARTY-NOTICES'), notices);
  writeFileSync(path.join(root, 'dist/sbom.cdx.json'), materials(root, bundled));
  writeManual(root);
  writeFileSync(stamp, '');
}

/** The program as written, for debuggers and profilers; its folder is not the one that is published. */
async function buildForDevelopment(): Promise<void> {
  const outdir = 'node_modules/.cache/hostdeck/dev';
  rmSync(path.join(root, outdir), { recursive: true, force: true });
  await build({
    ...options,
    minify: false,
    sourcemap: 'linked',
    splitting: true,
    entryPoints: {
      cli: 'source/start/cli.ts',
      'log-worker': 'source/host/logs/log-worker.ts',
    },
    outdir,
    // Ink imports it where it is installed.
    external: ['react-devtools-core'],
  });
}

if (process.argv.includes('--dev')) await buildForDevelopment();
else if (!process.argv.includes('--if-stale') || (await isStale())) await buildRelease();

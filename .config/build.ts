/**
 * Bundles source/ into dist/: one small entry, the rest in lazy chunks. `--if-stale` builds only
 * when a source file, the lock file or this script is newer than the last build.
 */
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { writeJoined } from './join-parts.ts';
import { loadBuiltinsLate } from './late-builtins.ts';
import { replaceSlowParts } from './replacements.ts';
import { writeScripts } from './script-parts.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = path.join(root, 'dist', '.built');

/** What the entry loads later lies beside it. */
const laterParts: Plugin = {
  name: 'later-parts',
  setup(bundle) {
    bundle.onResolve({ filter: /^\.{1,2}\/[\w/]+\.ts$/ }, ({ path: file, kind }) =>
      kind === 'dynamic-import'
        ? { path: `./chunks/${path.basename(file, '.ts')}.js`, external: true }
        : undefined,
    );
  },
};

/** CommonJS dependencies ask for Node's own modules by `require`, which ESM does not have. */
const requireBanner =
  "const require=process.getBuiltinModule('module').createRequire(import.meta.url);";

const options: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  jsx: 'automatic',
  logLevel: 'error',
  define: {
    'process.env.NODE_ENV': '"production"',
    'process.env.DEV': '"false"',
    // By this undici leaves out a parser that is an experiment, as in the copy that Node has.
    esbuildDetection: '"hostdeck"',
  },
  banner: { js: requireBanner },
};

async function isStale(): Promise<boolean> {
  const built = statSync(stamp, { throwIfNoEntry: false });
  if (built === undefined) return true;
  const sources = await readdir(path.join(root, 'source'), {
    recursive: true,
    withFileTypes: true,
  });
  const inputs = [
    ...(await readdir(import.meta.dirname)).map((name) => path.join(import.meta.dirname, name)),
    path.join(root, 'package-lock.json'),
    path.join(root, 'package.json'),
    ...sources.map((entry) => path.join(entry.parentPath, entry.name)),
  ];
  return inputs.some((input) => statSync(input).mtimeMs > built.mtimeMs);
}

if (!process.argv.includes('--if-stale') || (await isStale())) {
  rmSync(path.join(root, 'dist'), { recursive: true, force: true });
  const outdir = 'dist/chunks';
  const split = await build({
    ...options,
    banner: {},
    entryPoints: { run: 'source/start/run.ts', arguments: 'source/config/arguments.ts' },
    outdir,
    chunkNames: '[name]-[hash]',
    splitting: true,
    define: { ...options.define, 'performance.now': 'monotonicNow' },
    inject: ['.config/late-performance.ts'],
    metafile: true,
    write: false,
    plugins: [loadBuiltinsLate, replaceSlowParts(root)],
  });
  const parts = ['run', 'mount', 'connect'];
  await writeJoined(split, parts, ['engine-client'], { ...options, outdir });
  await writeScripts(path.join(root, outdir), parts, requireBanner);
  // One file for what comes before the first frame: each more would cost half a millisecond.
  await build({
    ...options,
    entryPoints: { cli: 'source/start/cli.ts' },
    outdir: 'dist',
    plugins: [laterParts],
  });
  // A thread begins with a file of its own, and must run nothing that others share with the start.
  await build({
    ...options,
    entryPoints: { 'log-worker': 'source/host/logs/log-worker.ts' },
    outdir,
  });
  writeFileSync(stamp, '');
}

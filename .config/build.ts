/**
 * Bundles source/ into dist/: one small entry, the rest in lazy chunks. `--if-stale` builds only
 * when a source file, the lock file or this script is newer than the last build.
 */
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { replaceSlowParts } from './replacements.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = path.join(root, 'dist', '.built');

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
  await build({
    absWorkingDir: root,
    entryPoints: { cli: 'source/cli.ts' },
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    jsx: 'automatic',
    logLevel: 'error',
    define: {
      'process.env.NODE_ENV': '"production"',
      'process.env.DEV': '"false"',
    },
    // CommonJS dependencies ask for Node's own modules by `require`, which ESM does not have.
    banner: {
      js: "const require=process.getBuiltinModule('module').createRequire(import.meta.url);",
    },
    plugins: [replaceSlowParts(root)],
  });
  writeFileSync(stamp, '');
}

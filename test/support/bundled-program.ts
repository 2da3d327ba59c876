import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { bundleOptions, noDevtools, root } from '../../.config/bundle-options.ts';

/**
 * Bundles a program of the tests that draws with Ink, and returns the path of the bundle. It starts with a
 * fifth of the processor time that its sources and the packages need.
 */
export async function bundledProgram(source: string): Promise<string> {
  const name = path.basename(source, '.ts');
  const folder = path.join(root, 'node_modules/.cache/hostdeck/programs');
  const file = path.join(folder, `${name}.mjs`);
  const { outputFiles } = await build({
    ...bundleOptions,
    entryPoints: [source],
    write: false,
    plugins: [noDevtools],
  });
  // A rename, so that no program of another test starts with half of it.
  const part = path.join(folder, `${name}.${process.pid}.part`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(part, outputFiles[0]?.contents ?? '');
  renameSync(part, file);
  return file;
}

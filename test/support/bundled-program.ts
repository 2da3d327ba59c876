import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../..');

/** Defines `require`, which bundled CommonJS dependencies call and ESM doesn't have. */
const requireBanner =
  "const require=process.getBuiltinModule('module').createRequire(import.meta.url);";

/** Replaces React's devtools, which Ink imports where they are installed. */
const noDevtools: Plugin = {
  name: 'no-devtools',
  setup(bundle) {
    bundle.onResolve({ filter: /^react-devtools-core$/ }, ({ path: name }) => ({
      path: name,
      namespace: 'empty',
    }));
    bundle.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'export default {}' }));
  },
};

/**
 * Bundles a program of the tests that draws with Ink, and returns the path of the bundle. It starts with a
 * fifth of the processor time that its sources and the packages need.
 */
export async function bundledProgram(source: string): Promise<string> {
  const name = path.basename(source, '.ts');
  const folder = path.join(root, 'node_modules/.cache/hostdeck/programs');
  const file = path.join(folder, `${name}.mjs`);
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [source],
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    jsx: 'automatic',
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    banner: { js: requireBanner },
    plugins: [noDevtools],
  });
  // A rename, so that no program of another test starts with half of it.
  const part = path.join(folder, `${name}.${process.pid}.part`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(part, outputFiles[0]?.contents ?? '');
  renameSync(part, file);
  return file;
}

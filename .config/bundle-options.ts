/** The options of esbuild that every bundle of the program shares, those of tests as well. */
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** CommonJS dependencies ask for Node's own modules by `require`, which ESM does not have. */
export const requireBanner =
  "const require=process.getBuiltinModule('module').createRequire(import.meta.url);";

export const bundleOptions = {
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
  },
  banner: { js: requireBanner },
  // Its main file requires its parts in a way that can't be bundled.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
} as const satisfies BuildOptions;

/** Replaces React's devtools, which an unpatched Ink imports where they are installed. */
export const noDevtools: Plugin = {
  name: 'no-devtools',
  setup(bundle) {
    bundle.onResolve({ filter: /^react-devtools-core$/ }, ({ path: name }) => ({
      path: name,
      namespace: 'empty',
    }));
    bundle.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'export default {}' }));
  },
};

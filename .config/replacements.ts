import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { patched } from './patched.ts';
import { synchronousYoga } from './yoga-loader.ts';

/** A module of ours whose named export stands for the default export of a dependency's module. */
interface Replacement {
  readonly file: string;
  readonly name: string;
}

const replacements: Readonly<Record<string, Replacement>> = {
  'string-width/index.js': { file: 'source/terminal/screen/string-width.ts', name: 'stringWidth' },
  'ink/build/output.js': { file: 'source/view/ink/output.ts', name: 'Output' },
};

/** Leaves out Ink's bridge to React's devtools, which is not installed. */
export const withoutDevtools: Plugin = {
  name: 'without-devtools',
  setup(bundle) {
    bundle.onResolve({ filter: /^react-devtools-core$/ }, () => ({
      path: 'react-devtools-core',
      namespace: 'stub',
    }));
    bundle.onLoad({ filter: /.*/, namespace: 'stub' }, () => ({ contents: 'export default {}' }));
  },
};

/** Removes the top-level awaits of Ink's devtools bridge, which a script (script-parts.ts) can't have. */
const withoutTopLevelAwait: Plugin = {
  name: 'without-top-level-await',
  setup(bundle) {
    bundle.onLoad({ filter: /ink\/build\/reconciler\.js$/ }, async ({ path: file }) => {
      const source = await readFile(file, 'utf8');
      const withoutBridge = patched(source, /await import\('\.\/devtools\.js'\)/, 'undefined');
      return { contents: patched(withoutBridge, /await loadPackageJson\(\)/, '{}') };
    });
  },
};

/**
 * Replaces Ink's output and string-width by parts of ours, which tests prove equal to what they
 * replace: test/view/ink, test/terminal/screen. They serve every frame, not only the start.
 */
function replaceModules(root: string): Plugin {
  return {
    name: 'replace-modules',
    setup(bundle) {
      bundle.onResolve({ filter: /^string-width$|output\.js$/ }, async (request) => {
        if (request.pluginData === 'stock') return undefined;
        const { importer, resolveDir, kind } = request;
        const resolved = await bundle.resolve(request.path, {
          importer,
          resolveDir,
          kind,
          pluginData: 'stock',
        });
        const [, module = ''] = /node_modules\/(?!.*node_modules\/)(.*)$/.exec(resolved.path) ?? [];
        const replacement = replacements[module];
        // The replacement itself may import the module that it replaces.
        if (replacement === undefined || importer === path.join(root, replacement.file)) {
          return resolved;
        }
        return { path: module, namespace: 'replacement' };
      });
      bundle.onLoad({ filter: /.*/, namespace: 'replacement' }, ({ path: module }) => {
        const { file, name } = replacements[module] ?? { file: '', name: '' };
        return { contents: `export { ${name} as default } from './${file}'`, resolveDir: root };
      });
    },
  };
}

/** Modules that make an `Intl.Segmenter` for graphemes as soon as they are loaded. */
const segmenting =
  /node_modules\/(?:@alcalzone\/ansi-tokenize\/build\/tokenize|cli-truncate\/index|ink\/build\/line-update|slice-ansi\/tokenize-ansi|string-width\/index|wrap-ansi\/index)\.js$/;

const segmenter =
  /new Intl\.Segmenter\((?:undefined, \{\s*granularity: ['"]grapheme['"],?\s*\})?\)/;

/**
 * Replaces the segmenters of six modules by one that is made on first use, and lets string-width
 * compile its expression of all emoji on first use. Measured together:
 * 130 ms of processor time until data is on the screen, in place of 160 (19 %).
 */
function delaySegmenters(root: string): Plugin {
  const graphemes = JSON.stringify(path.join(root, 'source/terminal/screen/graphemes.ts'));
  return {
    name: 'delay-segmenters',
    setup(bundle) {
      bundle.onLoad({ filter: segmenting }, async ({ path: file }) => {
        const source = patched(await readFile(file, 'utf8'), segmenter, 'new Graphemes()');
        const contents = `import { Graphemes } from ${graphemes};\n${source}`;
        return {
          contents: file.endsWith('/string-width/index.js')
            ? patched(
                contents,
                /const rgiEmojiRegex = (.*);/,
                'let emoji; const rgiEmojiRegex = { test: (text) => (emoji ??= $1).test(text) };',
              )
            : contents,
        };
      });
    },
  };
}

/** The parts of undici that `client/http` uses. */
const connections = `
import request from './lib/api/api-request.js';
import Client from './lib/dispatcher/client.js';
import Dispatcher from './lib/dispatcher/dispatcher.js';
import Pool from './lib/dispatcher/pool.js';
import retry from './lib/interceptor/retry.js';
import errors from './lib/core/errors.js';
Dispatcher.prototype.request = request;
export const interceptors = { retry };
export { Client, errors, Pool };
`;

/**
 * Bundles of undici only connections and requests, without HTTP/2, which our pools don't use.
 * Measured: 123 ms of processor time until data is on the screen, in place of 137 (10 %), and 270 kB
 * less to install.
 */
function reduceUndici(root: string): Plugin {
  return {
    name: 'reduce-undici',
    setup(bundle) {
      bundle.onResolve({ filter: /^undici$/ }, ({ importer, kind }) =>
        kind === 'dynamic-import' || importer.includes('node_modules')
          ? undefined
          : { path: 'connections', namespace: 'undici' },
      );
      bundle.onLoad({ filter: /.*/, namespace: 'undici' }, () => ({
        contents: connections,
        resolveDir: path.join(root, 'node_modules/undici'),
      }));
      bundle.onLoad({ filter: /undici\/lib\/dispatcher\/client-h2\.js$/ }, () => ({
        contents: "module.exports = () => { throw new Error('no HTTP/2') };",
      }));
    },
  };
}

/**
 * Compiles Yoga's wasm while its module is evaluated, in place of fetching it from a data: URL, for
 * which Node loads an HTTP client; a script could not await that either. Measured: 236 ms of
 * processor time until data is on the screen, in place of 269 (12 %), in a build without scripts.
 */
const compileYogaAtOnce: Plugin = {
  name: 'compile-yoga-at-once',
  setup(bundle) {
    bundle.onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, async ({ path: file }) => ({
      contents: synchronousYoga(await readFile(file, 'utf8')),
    }));
    bundle.onLoad({ filter: /yoga-layout\/dist\/src\/index\.js$/ }, async ({ path: file }) => ({
      contents: patched(await readFile(file, 'utf8'), /await loadYoga\(\)/, 'loadYoga()'),
    }));
  },
};

/** Returns the plugins that change dependencies for the published build. */
export function changedDependencies(root: string): Plugin[] {
  return [
    withoutDevtools,
    withoutTopLevelAwait,
    replaceModules(root),
    delaySegmenters(root),
    reduceUndici(root),
    compileYogaAtOnce,
  ];
}

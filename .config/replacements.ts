import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { namedExports } from './named-exports.ts';
import { synchronousYoga } from './yoga-loader.ts';

/** A module whose default export is a named one of ours. */
interface Replacement {
  readonly file: string;
  readonly name: string;
}

const replacements: Readonly<Record<string, Replacement>> = {
  'string-width/index.js': { file: 'source/terminal/screen/string-width.ts', name: 'stringWidth' },
  'ink/build/output.js': { file: 'source/view/ink/output.ts', name: 'Output' },
};

/** CommonJS modules that many modules import names from, with what they are in production. */
const manyTimesImported: Readonly<Record<string, string>> = {
  react: 'react/cjs/react.production.js',
  'react/jsx-runtime': 'react/cjs/react-jsx-runtime.production.js',
};

/** Ink imports its devtools bridge when DEV is set; nothing in the package may need it. */
const unneeded = /^react-devtools-core$/;

/** Leaves out Ink's bridge to React's devtools. */
export const withoutDevtools = {
  name: 'without-devtools',
  setup(bundle) {
    bundle.onResolve({ filter: unneeded }, () => ({ path: 'unneeded', namespace: 'stub' }));
    bundle.onLoad({ filter: /.*/, namespace: 'stub' }, () => ({ contents: 'export default {}' }));
  },
} satisfies Plugin;

/** Modules that make an `Intl.Segmenter` as soon as they are loaded. */
const segmenting =
  /node_modules\/(?:@alcalzone\/ansi-tokenize|cli-truncate|ink\/build|slice-ansi|string-width|wrap-ansi)\/.*\.js$/;

function withGraphemes(source: string, root: string): string {
  // Of other granularities none is made; were there any, they would stay.
  const segmenter =
    /new Intl\.Segmenter\((?:undefined, \{\s*granularity: ['"]grapheme['"],?\s*\})?\)/g;
  if (!segmenter.test(source)) return source;
  const graphemes = JSON.stringify(path.join(root, 'source/terminal/screen/graphemes.ts'));
  return `import { Graphemes } from ${graphemes};\n${source.replaceAll(segmenter, 'new Graphemes()')}`;
}

/** The expression of all emoji takes 15 ms to read; it is made when it is first asked. */
function withLateEmoji(source: string): string {
  return source.replace(
    /const rgiEmojiRegex = (.*);/,
    'let emoji; const rgiEmojiRegex = { test: (text) => (emoji ??= $1).test(text) };',
  );
}

/** The parts of undici that make connections: the service's client only uses `request`. */
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
 * Puts faster parts of our own in the place of some that dependencies bring. Each has a test that
 * proves it equal to what it replaces.
 */
export function replaceSlowParts(root: string): Plugin {
  return {
    name: 'replace-slow-parts',
    setup(bundle) {
      withoutDevtools.setup(bundle);
      bundle.onResolve({ filter: /^react(?:\/jsx-runtime)?$/ }, ({ path: module, kind }) =>
        kind === 'import-statement' ? { path: module, namespace: 'named' } : undefined,
      );
      bundle.onLoad({ filter: /.*/, namespace: 'named' }, ({ path: module }) => {
        const file = path.join(root, 'node_modules', manyTimesImported[module] ?? '');
        return { contents: namedExports(file), resolveDir: root };
      });

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
        // The replacement itself may lean on what it replaces.
        if (replacement === undefined || importer === path.join(root, replacement.file)) {
          return resolved;
        }
        return { path: module, namespace: 'replacement' };
      });
      bundle.onLoad({ filter: /.*/, namespace: 'replacement' }, ({ path: module }) => {
        const { file, name } = replacements[module] ?? { file: '', name: '' };
        return { contents: `export { ${name} as default } from './${file}'`, resolveDir: root };
      });

      bundle.onResolve({ filter: /^undici$/ }, ({ importer, kind }) =>
        kind === 'dynamic-import' || importer.includes('node_modules')
          ? undefined
          : { path: 'connections', namespace: 'undici' },
      );
      bundle.onLoad({ filter: /.*/, namespace: 'undici' }, () => ({
        contents: connections,
        resolveDir: path.join(root, 'node_modules/undici'),
      }));
      // HTTP/2 is switched off for our pools, and Node takes long to load its part of it.
      bundle.onLoad({ filter: /undici\/lib\/dispatcher\/client-h2\.js$/ }, () => ({
        contents: "module.exports = () => { throw new Error('no HTTP/2') };",
      }));

      // Its bridge to devtools is awaited, which only a module can do.
      bundle.onLoad({ filter: /ink\/build\/reconciler\.js$/ }, async ({ path: file }) => ({
        contents: (await readFile(file, 'utf8')).replaceAll(
          "process.env['DEV'] === 'true'",
          'false',
        ),
      }));

      bundle.onLoad({ filter: segmenting }, async ({ path: file }) => ({
        contents: withLateEmoji(withGraphemes(await readFile(file, 'utf8'), root)),
      }));

      bundle.onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, async ({ path: file }) => ({
        contents: synchronousYoga(await readFile(file, 'utf8')),
      }));
      bundle.onLoad({ filter: /yoga-layout\/dist\/src\/index\.js$/ }, async ({ path: file }) => ({
        contents: (await readFile(file, 'utf8')).replace('await loadYoga()', 'loadYoga()'),
      }));
    },
  };
}

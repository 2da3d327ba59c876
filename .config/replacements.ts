import path from 'node:path';
import type { Plugin } from 'esbuild';
import { loadingPatches } from './lazy-builtins.ts';
import { nameReactExports } from './named-exports.ts';
import { notBundled, type Patch, patchPackages } from './patch-packages.ts';

/** A module of ours whose named export stands for the default export of a dependency's module. */
interface Replacement {
  readonly file: string;
  readonly name: string;
}

export const replacements: Readonly<Record<string, Replacement>> = {
  'string-width/index.js': { file: 'source/terminal/screen/string-width.ts', name: 'stringWidth' },
  'ink/build/output.js': { file: 'source/view/ink/output.ts', name: 'Output' },
};

/**
 * Removes Ink's bridge to React's devtools, which is not installed, and the top-level awaits, which a
 * script (script-parts.ts) can't have.
 */
const topLevelAwaits: Patch = {
  file: 'ink/build/reconciler.js',
  edits: [
    { pattern: /await import\('\.\/devtools\.js'\)/, by: 'undefined' },
    { pattern: /await loadPackageJson\(\)/, by: '{}' },
  ],
};

/**
 * Replaces Ink's output and string-width by parts of ours, which tests prove equal to what they
 * replace: test/view/ink, test/terminal/screen. They serve every frame, not only the start.
 */
export function replaceModules(root: string): Plugin {
  return {
    name: 'replace-modules',
    setup(bundle) {
      const replaced = new Set<string>();
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
        replaced.add(module);
        return { path: module, namespace: 'replacement' };
      });
      bundle.onLoad({ filter: /.*/, namespace: 'replacement' }, ({ path: module }) => {
        const { file, name } = replacements[module] ?? { file: '', name: '' };
        return { contents: `export { ${name} as default } from './${file}'`, resolveDir: root };
      });
      bundle.onEnd(() => ({
        errors: Object.keys(replacements)
          .filter((module) => !replaced.has(module))
          .map((module) => notBundled(module, 'replacement')),
      }));
    },
  };
}

const segmenter =
  /new Intl\.Segmenter\((?:undefined, \{\s*granularity: ['"]grapheme['"],?\s*\})?\)/;

/**
 * Replaces the segmenters of six modules, which they make as soon as they are loaded, by one that is
 * made on first use, and lets string-width compile its expression of all emoji on first use. Measured
 * together: 130 ms of processor time until data is on the screen, in place of 160 (19 %).
 */
function laterSegmenters(root: string): readonly Patch[] {
  const graphemes = JSON.stringify(path.join(root, 'source/terminal/screen/graphemes.ts'));
  const imports = `import { Graphemes } from ${graphemes};\n`;
  const edit = { pattern: segmenter, by: 'new Graphemes()' };
  const files = [
    '@alcalzone/ansi-tokenize/build/tokenize.js',
    'cli-truncate/index.js',
    'ink/build/line-update.js',
    'slice-ansi/tokenize-ansi.js',
    'wrap-ansi/index.js',
  ];
  const emoji = {
    pattern: /const rgiEmojiRegex = (.*);/,
    by: 'let emoji; const rgiEmojiRegex = { test: (text) => (emoji ??= $1).test(text) };',
  };
  return [
    ...files.map((file) => ({ file, edits: [edit], imports })),
    { file: 'string-width/index.js', edits: [edit, emoji], imports },
  ];
}

/**
 * Keeps what Ink computes from the text of each row with each frame. Measured in lists of 10,000
 * deployments: 8.0 ms of processor time for each key and what happens beside, in place of 9.3 (13 %).
 */
export function rememberedRows(root: string): readonly Patch[] {
  const remembered = JSON.stringify(path.join(root, 'source/view/ink/remembered.ts'));
  const imports = `import { rememberTexts } from ${remembered};\n`;
  return [
    {
      file: 'ink/build/squash-text-nodes.js',
      edits: [{ pattern: /text = sanitizeAnsi\(/, by: 'text = sanitizeRow(' }],
      imports: `${imports}const sanitizeRow = rememberTexts((text) => sanitizeAnsi(text));\n`,
    },
    {
      file: 'ink/build/render-node-to-output.js',
      edits: [{ pattern: /currentWidth = widestLine\(/, by: 'currentWidth = widthOf(' }],
      imports: `${imports}const widthOf = rememberTexts((text) => widestLine(text));\n`,
    },
  ];
}

/** The parts of undici that `client/http` uses. */
const connections = `
import request from './lib/api/api-request.js';
import Client from './lib/dispatcher/client.js';
import Dispatcher from './lib/dispatcher/dispatcher.js';
import Pool from './lib/dispatcher/pool.js';
import retry from './lib/interceptor/retry.js';
import errors from './lib/core/errors.js';
import buildConnector from './lib/core/connect.js';
Dispatcher.prototype.request = request;
export const interceptors = { retry };
export { buildConnector, Client, errors, Pool };
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
      bundle.onResolve({ filter: /^undici$/ }, () => ({
        path: 'connections',
        namespace: 'undici',
      }));
      bundle.onLoad({ filter: /.*/, namespace: 'undici' }, () => ({
        contents: connections,
        resolveDir: path.join(root, 'node_modules/undici'),
      }));
    },
  };
}

const undiciParts: readonly Patch[] = [
  {
    file: 'undici/lib/dispatcher/client-h2.js',
    edits: [
      {
        pattern: /^[^]*\nmodule\.exports = connectH2\n$/,
        by: "module.exports = () => { throw new Error('no HTTP/2') };",
      },
    ],
  },
  {
    // Leaves out a parser that is an experiment, as in the copy that Node has.
    file: 'undici/lib/dispatcher/client-h1.js',
    edits: [
      {
        pattern: /typeof esbuildDetection === 'undefined'\s+\? require\('\.\/parser-h1\.js'\)/,
        by: 'false ? 0',
      },
      { pattern: /typeof esbuildDetection === 'undefined' && \(client/, by: 'false && (client' },
    ],
  },
];

/**
 * Compiles Yoga's wasm while its module is evaluated, in place of fetching it from a data: URL, for
 * which Node loads an HTTP client; a script could not await that either. Measured: 236 ms of
 * processor time until data is on the screen, in place of 269 (12 %), in a build without scripts.
 */
export const synchronousYoga: readonly Patch[] = [
  {
    file: 'yoga-layout/dist/binaries/yoga-wasm-base64-esm.js',
    edits: [
      {
        // `h` holds the options of Emscripten's loader; it is `yoga` of the edit below.
        pattern: /;H="data:application\/octet-stream;base64,([\w+/=]+)";/,
        by: `;H="";
h.instantiateWasm = (imports, receive) => {
  const compiled = new WebAssembly.Module(Buffer.from("$1", "base64"));
  receive(new WebAssembly.Instance(compiled, imports));
  return {};
};`,
      },
      {
        pattern: /export default loadYoga;/,
        by: 'export default () => { const yoga = {}; loadYoga(yoga); return yoga; };',
      },
    ],
  },
  {
    file: 'yoga-layout/dist/src/index.js',
    edits: [{ pattern: /await loadYoga\(\)/, by: 'loadYoga()' }],
  },
];

/** Returns the changes to files of dependencies for the published build. */
export function packagePatches(root: string): readonly Patch[] {
  return [
    topLevelAwaits,
    ...laterSegmenters(root),
    ...rememberedRows(root),
    ...undiciParts,
    ...synchronousYoga,
    ...loadingPatches,
  ];
}

/** Returns the plugins that change dependencies for the published build. */
export function changedDependencies(root: string): Plugin[] {
  return [
    replaceModules(root),
    nameReactExports(root),
    reduceUndici(root),
    patchPackages(packagePatches(root)),
  ];
}

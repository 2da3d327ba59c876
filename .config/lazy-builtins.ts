import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';
import { patched } from './patched.ts';

/** Modules of Node that the first frame imports but does not use, each with its exports. */
export const lazyBuiltins: Readonly<Record<string, string>> = {
  child_process: `
export const execFileSync = (...given) =>
  process.getBuiltinModule('node:child_process').execFileSync(...given);
`,
};

/**
 * Returns an ES module that exports what a module of Node exports, and reads only the exports that
 * are imported. Importing Node's own module reads all its exports, and getters among them load
 * further modules: the streams of `fs`, for example.
 * @param module without `node:`.
 */
export function builtinByName(module: string): string {
  const builtin = `process.getBuiltinModule('node:${module}')`;
  const names = Object.keys(process.getBuiltinModule(`node:${module}`) ?? {});
  return [
    `const read = (name) => ${builtin}[name];`,
    `export default /* @__PURE__ */ (() => ${builtin})();`,
    ...names
      .filter((name) => /^[a-z_$][\w$]*$/i.test(name) && name !== 'default')
      .map(
        (name, at) =>
          `const own${at} = /* @__PURE__ */ read('${name}'); export { own${at} as ${name} };`,
      ),
  ].join('\n');
}

/** Changes to dependencies that need a slow module only after an error. */
export const lazyParts: Readonly<Record<string, (source: string) => string>> = {
  'ink/build/components/ErrorOverview.js': (source) =>
    patched(
      patched(source, /import StackUtils from 'stack-utils';\n/, ''),
      /const stackUtils = (new StackUtils\(\{[^}]*\}\));/,
      `let made;
const stackUtils = {
  parseLine(line) {
    const StackUtils = require('stack-utils');
    return (made ??= $1).parseLine(line);
  },
};`,
    ),
  'scheduler/cjs/scheduler.production.js': (source) =>
    patched(
      source,
      /if \(\s*"object" === typeof performance &&\s*"function" === typeof performance\.now\s*\) \{\s*var localPerformance = performance;/,
      'if (true) { var localPerformance = { now: () => performance.now() };',
    ),
  'signal-exit/index.js': (source) =>
    patched(
      source,
      /require\('assert'\)/,
      "{ equal(...given) { if (given[0] !== given[1]) require('assert').equal(...given); } }",
    ),
};

/** Importers that the first frame needs. */
const early = /\/node_modules\/(?:ink|terminal-size)\//;

/**
 * Loads Node's slower modules when they are first used. Measured: 134 ms of processor time until data
 * is on the screen, in place of 146 (8 %).
 */
export const loadBuiltinsLazily: Plugin = {
  name: 'load-builtins-late',
  setup(bundle) {
    bundle.onResolve({ filter: /^[\w:/]+$/ }, ({ path: asked, kind, importer }) => {
      if (!isBuiltin(asked)) return undefined;
      const module = asked.replace(/^node:/, '');
      // One module for each importer: a shared one would become a file of its own.
      const own = { path: module, suffix: `?${importer}` };
      if (kind === 'require-call') return { ...own, namespace: 'required-builtin' };
      if (kind !== 'import-statement') return undefined;
      const isLazy = module in lazyBuiltins && early.test(importer);
      return { ...own, namespace: isLazy ? 'lazy-builtin' : 'builtin' };
    });
    bundle.onLoad({ filter: /.*/, namespace: 'lazy-builtin' }, ({ path: module }) => ({
      contents: lazyBuiltins[module] ?? '',
    }));
    bundle.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path: module }) => ({
      contents: builtinByName(module),
    }));
    bundle.onLoad({ filter: /.*/, namespace: 'required-builtin' }, ({ path: module }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${module}');`,
    }));
    for (const [file, change] of Object.entries(lazyParts)) {
      const filter = new RegExp(`/node_modules/${file.replaceAll(/[.]/g, '\\.')}$`);
      bundle.onLoad({ filter }, async ({ path: found }) => ({
        contents: change(await readFile(found, 'utf8')),
      }));
    }
  },
};

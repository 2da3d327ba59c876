import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';
import { notBundled, type Patch } from './patch-packages.ts';

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

/**
 * Milliseconds since the program started, in place of `performance.now()`: Node loads nine modules
 * when the global `performance` is first read.
 */
const uptime = 'process.uptime() * 1000';

/** Changes to dependencies that need a slow module only after an error; measured below. */
export const loadingPatches: readonly Patch[] = [
  {
    file: 'ink/build/components/ErrorOverview.js',
    edits: [
      { pattern: /import StackUtils from 'stack-utils';\n/, by: '' },
      {
        pattern: /const stackUtils = (new StackUtils\(\{[^}]*\}\));/,
        by: `let made;
const stackUtils = {
  parseLine(line) {
    const StackUtils = require('stack-utils');
    return (made ??= $1).parseLine(line);
  },
};`,
      },
    ],
  },
  {
    file: 'ink/build/ink.js',
    edits: [
      { pattern: /const startTime = performance\.now\(\);/, by: `const startTime = ${uptime};` },
      { pattern: /= performance\.now\(\) - startTime;/, by: `= ${uptime} - startTime;` },
    ],
  },
  {
    file: 'scheduler/cjs/scheduler.production.js',
    edits: [
      {
        pattern:
          /if \(\s*"object" === typeof performance &&\s*"function" === typeof performance\.now\s*\) \{\s*var localPerformance = performance;/,
        by: `if (true) { var localPerformance = { now: () => ${uptime} };`,
      },
    ],
  },
  {
    file: 'signal-exit/index.js',
    edits: [
      {
        pattern: /require\('assert'\)/,
        by: "{ equal(...given) { if (given[0] !== given[1]) require('assert').equal(...given); } }",
      },
    ],
  },
];

/** Importers that the first frame needs. */
const early = /\/node_modules\/(?:ink|terminal-size)\//;

/**
 * Loads Node's slower modules when they are first used. Measured: 134 ms of processor time until data
 * is on the screen, in place of 146 (8 %).
 */
export const loadBuiltinsLazily: Plugin = {
  name: 'load-builtins-late',
  setup(bundle) {
    const delayed = new Set<string>();
    bundle.onResolve({ filter: /^[\w:/]+$/ }, ({ path: asked, kind, importer }) => {
      if (!isBuiltin(asked)) return undefined;
      const module = asked.replace(/^node:/, '');
      // One module for each importer: a shared one would become a file of its own.
      const own = { path: module, suffix: `?${importer}` };
      if (kind === 'require-call') return { ...own, namespace: 'required-builtin' };
      if (kind !== 'import-statement') return undefined;
      const isLazy = module in lazyBuiltins && early.test(importer);
      if (isLazy) delayed.add(module);
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
    bundle.onEnd(() => ({
      errors: Object.keys(lazyBuiltins)
        .filter((module) => !delayed.has(module))
        .map((module) => notBundled(module, 'lazy stand-in')),
    }));
  },
};

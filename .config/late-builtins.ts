import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

/** Stand for modules of Node that the first frame names but need not have. */
export const lateBuiltins: Readonly<Record<string, string>> = {
  child_process: `
export const execFileSync = (...given) =>
  process.getBuiltinModule('node:child_process').execFileSync(...given);
`,
};

/**
 * An ES module that gives what one of Node's does, and reads of it only what is imported. To import
 * Node's own, all its exports are read, and those with getters load more: the streams of `fs`, for
 * one. Together this takes milliseconds at every start.
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

/** What only needs them when something went wrong, or for a word in an error. */
export const lateParts: Readonly<Record<string, (source: string) => string>> = {
  'ink/build/components/ErrorOverview.js': (source) =>
    replaced(
      replaced(source, "import StackUtils from 'stack-utils';\n", ''),
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
    replaced(
      source,
      /if \(\s*"object" === typeof performance &&\s*"function" === typeof performance\.now\s*\) \{\s*var localPerformance = performance;/,
      'if (true) { var localPerformance = { now: () => performance.now() };',
    ),
  'signal-exit/index.js': (source) =>
    replaced(
      source,
      "require('assert')",
      "{ equal(...given) { if (given[0] !== given[1]) require('assert').equal(...given); } }",
    ),
};

function replaced(source: string, part: string | RegExp, by: string): string {
  const result = source.replace(part, by);
  if (result === source) throw new Error(`${String(part)} is no longer there`);
  return result;
}

/** Importers that the first frame needs. */
const early = /\/node_modules\/(?:ink|terminal-size)\//;

/** Keeps Node's slower modules, and what lies on them, out of the way to the first frame. */
export const loadBuiltinsLate: Plugin = {
  name: 'load-builtins-late',
  setup(bundle) {
    bundle.onResolve({ filter: /^[\w:/]+$/ }, ({ path: asked, kind, importer }) => {
      if (!isBuiltin(asked)) return undefined;
      const module = asked.replace(/^node:/, '');
      // Each importer has its own: a shared one would lie in a file of its own.
      const own = { path: module, suffix: `?${importer}` };
      if (kind === 'require-call') return { ...own, namespace: 'required-builtin' };
      if (kind !== 'import-statement') return undefined;
      const isLate = module in lateBuiltins && early.test(importer);
      return { ...own, namespace: isLate ? 'late-builtin' : 'builtin' };
    });
    bundle.onLoad({ filter: /.*/, namespace: 'late-builtin' }, ({ path: module }) => ({
      contents: lateBuiltins[module] ?? '',
    }));
    bundle.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path: module }) => ({
      contents: builtinByName(module),
    }));
    bundle.onLoad({ filter: /.*/, namespace: 'required-builtin' }, ({ path: module }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${module}');`,
    }));
    for (const [file, change] of Object.entries(lateParts)) {
      const filter = new RegExp(`/node_modules/${file.replaceAll(/[.]/g, '\\.')}$`);
      bundle.onLoad({ filter }, async ({ path: found }) => ({
        contents: change(await readFile(found, 'utf8')),
      }));
    }
  },
};

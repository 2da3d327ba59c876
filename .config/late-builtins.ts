import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Modules that stand for Node's own in what is loaded before the first frame. To import one of
 * Node's, all its exports are read, and those with getters load more: 2 to 3 ms for `process`, 1.5
 * for `util`. Whoever asks for a name that is not here fails the build.
 */
export const lateBuiltins: Readonly<Record<string, string>> = {
  process: `
const now = globalThis.process;
export default now;
export const { cwd, env } = now;
`,
  util: `
const util = () => process.getBuiltinModule('node:util');
export const inspect = (...given) => util().inspect(...given);
export const isDeepStrictEqual = (...given) => util().isDeepStrictEqual(...given);
export const stripVTControlCharacters = (...given) => util().stripVTControlCharacters(...given);
export const types = { isNativeError: (given) => util().types.isNativeError(given) };
`,
  child_process: `
export const execFileSync = (...given) =>
  process.getBuiltinModule('node:child_process').execFileSync(...given);
`,
};

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
const early =
  /\/source\/(?:store|terminal|view)\/|\/node_modules\/(?:ink|ink-select-input|terminal-size|cli-truncate)\//;

/** Keeps Node's slower modules, and what lies on them, out of the way to the first frame. */
export const loadBuiltinsLate: Plugin = {
  name: 'load-builtins-late',
  setup(bundle) {
    bundle.onResolve({ filter: /^(?:node:)?(?:process|util|child_process)$/ }, (request) => {
      const module = request.path.replace(/^node:/, '');
      const isEarly = module === 'process' || early.test(request.importer);
      return request.kind === 'import-statement' && isEarly
        ? { path: module, namespace: 'late-builtin' }
        : undefined;
    });
    bundle.onLoad({ filter: /.*/, namespace: 'late-builtin' }, ({ path: module }) => ({
      contents: lateBuiltins[module] ?? '',
    }));
    for (const [file, change] of Object.entries(lateParts)) {
      const filter = new RegExp(`/node_modules/${file.replaceAll(/[.]/g, '\\.')}$`);
      bundle.onLoad({ filter }, async ({ path: found }) => ({
        contents: change(await readFile(found, 'utf8')),
      }));
    }
  },
};

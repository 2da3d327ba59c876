import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { patchedSource } from '../../.config/patch-packages.ts';
import { rememberedRows, replacements } from '../../.config/replacements.ts';

/*
 * Gives Ink the replacements of its slowest parts that the built program has: without them these parts take
 * two thirds of the time of a frame. Tests that compare a part with its replacement import the package's own
 * part, which stays as it is.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Sources of the changed modules by their paths below `node_modules`. */
const sources = new Map<string, () => string>();

for (const [module, { file, name }] of Object.entries(replacements)) {
  const url = new URL(file, `file://${root}`).href;
  sources.set(module, () => `export { ${name} as default } from '${url}'`);
}
for (const patch of rememberedRows(root)) {
  const file = `${root}node_modules/${patch.file}`;
  sources.set(patch.file, () => patchedSource(patch, readFileSync(file, 'utf8')));
}

/** Marks the URL of a changed module. */
const mark = '?as-built';

/** Matches the modules of Ink and of what it draws with, but not the one that is replaced. */
const importer =
  /\/node_modules\/(?:ink\/build\/(?!output\.js$)|widest-line|wrap-ansi|slice-ansi|cli-truncate)/;

const registered = Symbol.for('hostdeck.inkAsBuilt');
const global = globalThis as Record<symbol, unknown>;

// Once in a process, which runs many files.
if (global[registered] === undefined) {
  global[registered] = registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      if (!importer.test(context.parentURL ?? '')) return resolved;
      const [, module = ''] = resolved.url.split('/node_modules/');
      return sources.has(module) ? { ...resolved, url: resolved.url + mark } : resolved;
    },
    load(url, context, next) {
      if (!url.endsWith(mark)) return next(url, context);
      const [, module = ''] = url.slice(0, -mark.length).split('/node_modules/');
      return { format: 'module', source: sources.get(module)?.() ?? '', shortCircuit: true };
    },
  });
}

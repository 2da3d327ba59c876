import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { transform, type TransformResult } from 'esbuild';

/**
 * Writes a classic script for each part of the start, so that V8 can cache its compiled code
 * (source/start/code-cache.ts). The module of that name then exports the exports of the script.
 * Measured: 130 ms of processor time until data is on the screen, in place of 193 (33 %).
 * @param parts names of modules in the folder, without hash; each imports only other parts.
 * @param banner begins each module, and declares names that scripts get as parameters.
 * @throws where a module has another form than esbuild gives it, or holds what a script can't.
 */
export async function writeScripts(
  folder: string,
  parts: readonly string[],
  banner: string,
): Promise<void> {
  for (const part of parts) {
    const form = new RegExp(`^${part}(?:-[A-Z0-9]{8})?\\.js$`);
    const name = readdirSync(folder).find((file) => form.test(file));
    if (name === undefined) throw new Error(`${part} was not built`);
    const file = path.join(folder, name);
    const built = readFileSync(file, 'utf8');
    if (!built.startsWith(banner)) throw new Error(`${part} does not begin with ${banner}`);
    // Spaces for the banner keep the columns that the source map tells of.
    const module = ' '.repeat(banner.length) + built.slice(banner.length);
    const { body, names } = withoutExports(part, module);
    const { code, map } = await asScript(withSourceMap(body + exportsObject(names), file));
    const hash = createHash('sha256').update(code).digest('hex');
    const script = path.join(folder, `part-${part}.js`);
    writeFileSync(script, code, 'latin1');
    writeFileSync(`${script}.map`, map);
    rmSync(`${file}.map`, { force: true });
    const given = `import.meta,"part-${part}.js","${hash}",(file)=>import(file)`;
    const loaded = `globalThis[Symbol.for("hostdeck.part")](${given})`;
    writeFileSync(file, `export const{${[...names.keys()].join(',')}}=${loaded};\n`);
  }
}

/** The module with its source map inside, where one lies beside it. */
function withSourceMap(module: string, file: string): string {
  if (!existsSync(`${file}.map`)) return module;
  const map = readFileSync(`${file}.map`).toString('base64');
  return `${module}\n//# sourceMappingURL=data:application/json;base64,${map}`;
}

async function asScript(module: string): Promise<TransformResult> {
  // Node doesn't let a script import; its module does that for it.
  const result = await transform(module.replaceAll('import("./', 'later ("./'), {
    sourcemap: 'external',
    sourcefile: 'module.js',
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    minify: true,
    define: { 'import.meta.url': 'location' },
    banner: '(function(require,module,location,later){"use strict";',
    footer: '})',
  });
  const { code } = result;
  if (/\bimport\(/.test(code)) throw new Error('a script may import only files beside it');
  // The script is read as Latin-1, which is fastest.
  const [odd] = /[^\0-\xff]/u.exec(code) ?? [];
  if (odd !== undefined) throw new Error(`a script may not hold ${odd}`);
  return result;
}

interface WithoutExports {
  readonly body: string;
  /** The exported names, each with the name that it has inside the module. */
  readonly names: ReadonlyMap<string, string>;
}

/** Takes the list of exports from a module; esbuild writes one, before comments. */
function withoutExports(part: string, module: string): WithoutExports {
  const lists = [...module.matchAll(/\bexport\s*\{([^}]*)\}/g)];
  const [whole = '', list = ''] =
    /\bexport\s*\{([^}]*)\};?\s*(?=(?:\/\*[^]*)?$)/.exec(module) ?? [];
  if (lists.length !== 1 || list === '') {
    throw new Error(`${part} has ${lists.length} lists of exports, not one at its end`);
  }
  const names = list.split(',').map((one): [string, string] => {
    const [local = '', name = local] = one.trim().split(/\sas\s/);
    return [name.trim(), local.trim()];
  });
  return { body: module.replace(whole, () => ''), names: new Map(names) };
}

/**
 * Sets the exports of a script to one object with a getter for each. esbuild would define them one by
 * one and copy them all, some 300 for the first part.
 */
function exportsObject(names: ReadonlyMap<string, string>): string {
  const getters = Array.from(names, ([name, local]) => `get ${name}(){return ${local}}`);
  return `\nmodule.exports={${getters.join(',')}};`;
}

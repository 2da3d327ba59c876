import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { writeJoined } from '../../.config/join-parts.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'join-parts-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Module {
  /** Whether it imports each of the shared modules. */
  readonly imports: readonly boolean[];
}

const shared = 4;
const module: fc.Arbitrary<Module> = fc.record({
  imports: fc.array(fc.boolean(), { minLength: shared, maxLength: shared }),
});

/** Says what it and all that it imports are called, and how often each was asked. */
function source(name: string, { imports }: Module, from: number): string {
  const needed = imports.flatMap((is, at) => (is && at >= from ? [at] : []));
  return [
    ...needed.map((at) => `import { ask as ask${at} } from './shared${at}.ts';`),
    'let asked = 0;',
    `export const ask = () => ['${name}', (asked += 1), ${needed.map((at) => `ask${at}()`).join(', ')}].flat();`,
  ].join('\n');
}

/** Returns a plugin that reads modules from texts instead of the disk. */
function inMemory(files: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'in-memory',
    setup(bundle) {
      bundle.onResolve({ filter: /.*/ }, ({ path: file }) => ({
        path: path.basename(file),
        namespace: 'in-memory',
      }));
      bundle.onLoad({ filter: /.*/ }, ({ path: file }) => ({ contents: files[file] ?? '' }));
    },
  };
}

let made = 0;

/** Runs a program whose parts are loaded one after the other; gives what they say. */
async function run(folderOfProgram: string): Promise<unknown> {
  const file = path.join(folderOfProgram, 'first.js');
  const { load } = await import(/* @vite-ignore */ file);
  return load();
}

test('a program does the same when the parts of its start are joined', async () => {
  const modules = fc.record({
    first: module,
    second: module,
    later: module,
    last: module,
    between: fc.array(module, { minLength: shared, maxLength: shared }),
  });
  await fc.assert(
    fc.asyncProperty(modules, fc.boolean(), async ({ between, ...entries }, isPatient) => {
      made += 1;
      const program = path.join(folder, String(made));
      const files: Record<string, string> = {};
      for (const [at, each] of between.entries()) {
        files[`shared${at}.ts`] = source(`shared${at}`, each, at + 1);
      }
      for (const [name, each] of Object.entries(entries)) {
        files[`${name}.ts`] = source(name, each, 0);
      }
      files['first.ts'] += `
export async function load() {
  const said = [ask()];
  for (const part of [() => import('./second.ts'), () => import('./later.ts'), () => import('./last.ts')]) {
    said.push((await part()).ask());
  }
  return said;
}`;
      const options: BuildOptions = {
        bundle: true,
        minify: true,
        format: 'esm',
        outdir: path.join(program, 'joined'),
        logLevel: 'error',
      };
      const given = inMemory(files);
      const splitting = {
        ...options,
        splitting: true,
        entryPoints: { first: 'first.ts' },
        chunkNames: '[name]-[hash]',
        plugins: [given],
      };
      const plain = path.join(program, 'plain');
      await build({ ...splitting, outdir: plain });
      const split = await build({ ...splitting, metafile: true, write: false });
      await writeJoined(split, ['first', 'second', 'later'], isPatient ? ['last'] : [], options);
      writeFileSync(path.join(program, 'package.json'), '{"type":"module"}');
      const joined = path.join(program, 'joined');
      expect(await run(joined)).toEqual(await run(plain));
      expect(importsOf(joined, 'first')).toEqual([]);
      for (const part of ['second', 'later', ...(isPatient ? [] : ['last'])]) {
        const others = importsOf(joined, part).filter((file) => !file.startsWith('chunk-'));
        expect(others.filter((file) => file !== 'first.js')).toEqual([]);
      }
      for (const part of ['second', 'later']) {
        expect(importsOf(joined, part).filter((file) => file.startsWith('chunk-'))).toEqual([]);
      }
    }),
    { numRuns: 20 },
  );
});

test('what a patient entry shares with a part of the start stays in that part', async () => {
  const files: Record<string, string> = {
    'first.ts': "export const load = () => [import('./second.ts'), import('./last.ts')];",
    'second.ts': "export * from './shared.ts';",
    'last.ts': "import { name } from './shared.ts'; export const last = [name];",
    'shared.ts': "export const name = 'shared by both';",
  };
  const homes: string[][] = [];
  for (const patient of [[], ['last']]) {
    made += 1;
    const program = path.join(folder, String(made));
    const options: BuildOptions = { bundle: true, format: 'esm', outdir: program };
    const split = await build({
      ...options,
      splitting: true,
      entryPoints: { first: 'first.ts' },
      chunkNames: '[name]-[hash]',
      metafile: true,
      write: false,
      plugins: [inMemory(files)],
    });
    await writeJoined(split, ['first', 'second'], patient, options);
    const holding = readdirSync(program).filter((file) =>
      readFileSync(path.join(program, file), 'utf8').includes('shared by both'),
    );
    homes.push(holding.map((file) => file.replace(/[.-].*/, '')));
  }
  expect(homes).toEqual([['first'], ['second']]);
});

/** The files that an entry imports from the start. */
function importsOf(chunks: string, entry: string): readonly string[] {
  const name = readdirSync(chunks).find((file) => new RegExp(`^${entry}[.-]`).test(file)) ?? '';
  const code = readFileSync(path.join(chunks, name), 'utf8');
  const imports = code.matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g);
  return [...new Set([...imports].map(([, file = '']) => file))];
}

test('what each command of a shell loads holds neither React nor Ink', () => {
  const built = path.resolve(import.meta.dirname, '../../dist/chunks');
  const packagesIn = (part: string): readonly string[] => {
    const map = readFileSync(path.join(built, `part-${part}.js.map`), 'utf8');
    const { sources } = JSON.parse(map) as { readonly sources: readonly string[] };
    const found = sources.map((file) => /node_modules\/(ink|react-reconciler)\//.exec(file)?.[1]);
    return [...new Set(found)].filter((name) => name !== undefined).toSorted();
  };
  expect(packagesIn('run')).toEqual([]);
  expect(packagesIn('mount')).toEqual(['ink', 'react-reconciler']);
});

test('an entry that is not there fails the build', async () => {
  const split = { metafile: { inputs: {}, outputs: {} }, outputFiles: [] };
  await expect(writeJoined(split, ['run'], [], {})).rejects.toThrow('run is no entry');
});

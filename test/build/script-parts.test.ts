import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeScripts } from '../../.config/script-parts.ts';

/** Runs a script and returns its exports; each part that it requires is `others`. */
function exportsOf(script: string, others: object): Record<string, unknown> {
  const module = { exports: {} as Record<string, unknown> };
  // eslint-disable-next-line no-eval
  const part = (0, eval)(readFileSync(script, 'latin1')) as (...given: readonly unknown[]) => void;
  part(
    () => others,
    module,
    'here',
    (file: string) => `later ${file}`,
  );
  return module.exports;
}

const built = path.resolve(import.meta.dirname, '../../dist/chunks');

test('a script stands for a module that exports the same', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'script-parts-'));
  const file = (name: string) => path.join(folder.path, name);
  writeFileSync(file('run.js'), 'const require=1;var a="ä",b=()=>a;export{a as first,b};');
  writeFileSync(
    file('mount-ABCDEFGH.js'),
    'const require=1;import{b as x}from"./run.js";let m=()=>[x(),import.meta.url,require("./run.js").first,import("./late.js")];export{m as mount};',
  );
  await writeScripts(folder.path, ['run', 'mount'], 'const require=1;');
  const said =
    /^export const\{(.*)\}=.*\(import\.meta,"(.*)","[\da-f]{64}",\(file\)=>import\(file\)\);\n$/;
  const run = said.exec(readFileSync(file('run.js'), 'utf8'));
  expect(run?.slice(1)).toEqual(['first,b', 'part-run.js']);
  const mount = said.exec(readFileSync(file('mount-ABCDEFGH.js'), 'utf8'));
  expect(mount?.slice(1)).toEqual(['mount', 'part-mount.js']);
  const first = exportsOf(file('part-run.js'), {});
  expect((exportsOf(file('part-mount.js'), first)['mount'] as () => unknown)()).toEqual([
    'ä',
    'here',
    'ä',
    'later ./late.js',
  ]);
});

test('an export of a script has the value that its variable has when it is read', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'script-parts-'));
  writeFileSync(
    path.join(folder.path, 'run.js'),
    'var later,load=()=>{later="loaded"};export{later as value,load};/*! notice */',
  );
  await writeScripts(folder.path, ['run'], '');
  const exports = exportsOf(path.join(folder.path, 'part-run.js'), {});
  expect(exports['value']).toBeUndefined();
  (exports['load'] as () => void)();
  expect(exports['value']).toBe('loaded');
});

test('what a script cannot hold fails the build, and so does a part that is not there', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'script-parts-'));
  writeFileSync(path.join(folder.path, 'run.js'), '/*! – */var a=1;export{a};');
  await expect(writeScripts(folder.path, ['run'], '')).rejects.toThrow('a script may not hold –');
  writeFileSync(path.join(folder.path, 'run.js'), 'var a=import("node:fs");export{a};');
  await expect(writeScripts(folder.path, ['run'], '')).rejects.toThrow(
    'may import only files beside',
  );
  await expect(writeScripts(folder.path, ['mount'], '')).rejects.toThrow('mount was not built');
});

test.each([
  ['var a=1;export{a};', 'run does not begin with banner;'],
  ['banner;var a=1;', 'run has 0 lists of exports, not one at its end'],
  ['banner;var a=1;export{a};export{a as b};', 'run has 2 lists of exports, not one at its end'],
  ['banner;export{a};var a=1;', 'run has 1 lists of exports, not one at its end'],
])('a module of another form fails the build: %s', async (module, reason) => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'script-parts-'));
  writeFileSync(path.join(folder.path, 'run.js'), module);
  await expect(writeScripts(folder.path, ['run'], 'banner;')).rejects.toThrow(reason);
});

test.each([
  ['run', []],
  ['mount', ['run.js']],
])('the start loads one script for %s', (part, needed) => {
  const code = readFileSync(path.join(built, `part-${part}.js`), 'latin1');
  const asked = [...code.matchAll(/require\("\.\/([^"]*)"\)/g)].map(([, file = '']) => file);
  expect([...new Set(asked)]).toEqual(needed);
});

test('nothing but the modules that stand for scripts is named like a part', () => {
  const names = readdirSync(built).filter((file) => /^(?:run|mount)[.-]/.test(file));
  expect(names).toHaveLength(2);
});

test('a part that is tried again after a failure is no script, which Node would not run again', () => {
  const scripts = readdirSync(built).filter((file) => /^part-.*\.js$/.test(file));
  expect(scripts.toSorted()).toEqual(['part-mount.js', 'part-run.js']);
});

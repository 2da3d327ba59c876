import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import { builtinByName, lazyBuiltins } from '../../.config/lazy-builtins.ts';

const root = path.resolve(import.meta.dirname, '../..');
const keptParts = path.join(root, 'source/start/code-cache.ts');

type Built = Record<string, unknown>;

async function standIn(name: string): Promise<Record<string, unknown>> {
  const source = lazyBuiltins[name] ?? '';
  const url = `data:text/javascript,${encodeURIComponent(source)}`;
  return (await import(/* @vite-ignore */ url)) as Record<string, unknown>;
}

test.each(builtinModules.filter((name) => !name.startsWith('_')))(
  'the stand-in for %s exports the same',
  async (name) => {
    const module = name.replace(/^node:/, '');
    const url = `data:text/javascript,${encodeURIComponent(builtinByName(module))}`;
    const { default: all, ...named } = (await import(/* @vite-ignore */ url)) as Built;
    const stock = process.getBuiltinModule(`node:${module}`) as unknown as Built;
    expect(all).toBe(stock);
    const names = Object.keys(stock).filter((each) => each !== 'default');
    expect(Object.keys(named).sort()).toEqual(names.sort());
    for (const each of names) expect(Object.is(named[each], stock[each])).toBe(true);
  },
);

test('the stand-in for child_process runs programs', async () => {
  const own = await standIn('child_process');
  const run = own['execFileSync'] as (file: string, given: string[]) => Buffer;
  expect(run(process.execPath, ['-p', '1 + 1']).toString()).toBe('2\n');
});

/** Returns the modules of Node that load with these parts of the start alone. */
function loadedWith(...parts: readonly string[]): readonly string[] {
  const chunks = path.join(root, 'dist/chunks');
  const files = parts.map((part) => {
    const name = readdirSync(chunks).find((file) => file.startsWith(part)) ?? '';
    return JSON.stringify(path.join(chunks, name));
  });
  const code = `
const { startCodeCache } = await import(${JSON.stringify(keptParts)});
startCodeCache(undefined);
const before = new Set(process.moduleLoadList);
for (const file of [${files.join(', ')}]) await import(file);
const loaded = process.moduleLoadList.filter((each) => !before.has(each));
console.log(JSON.stringify(loaded.map((each) => each.replace('NativeModule ', ''))));
`;
  const given = ['--input-type=module', '--eval', code];
  return JSON.parse(execFileSync(process.execPath, given, { encoding: 'utf8' })) as string[];
}

test('nothing before the first frame loads the modules that are slow to', () => {
  const loaded = loadedWith('run.', 'mount-');
  expect(loaded).toContain('tty');
  const slow =
    /^(?:util|child_process|perf_hooks|fs\/promises|internal\/fs\/(?:promises|streams))$/;
  expect(loaded.filter((module) => slow.test(module))).toEqual([]);
});

test('nothing before the first list loads cryptography, nor what works on files', () => {
  const loaded = loadedWith('run.', 'mount-', 'pool-');
  expect(loaded).toContain('http');
  const slow = /^(?:crypto|child_process|perf_hooks|tls|fs\/promises|internal\/fs\/promises)$/;
  expect(loaded.filter((module) => slow.test(module))).toEqual([]);
});

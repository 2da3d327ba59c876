import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { builtinByName, lazyBuiltins } from '../../.config/lazy-builtins.ts';
import { launch } from '../e2e/harness.ts';
import { startForeign } from '../servers/foreign.ts';

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
  // Node's `-p` would colour the number where FORCE_COLOR is set, as in a run of tests on a terminal.
  const printed = run(process.execPath, ['-e', 'process.stdout.write(String(1 + 1))']);
  expect(printed.toString()).toBe('2');
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
    /^(?:util|child_process|perf_hooks|v8|fs\/promises|internal\/fs\/(?:promises|streams))$/;
  expect(loaded.filter((module) => slow.test(module))).toEqual([]);
});

test('the first frame is drawn, and the list requested, without the modules that are slow to load', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'lazy-builtins-'));
  const list = path.join(folder.path, 'list.json');
  const hook = path.join(folder.path, 'hook.cjs');
  writeFileSync(
    hook,
    `process.once('SIGUSR2', () => {
  const loaded = process.moduleLoadList.map((each) => each.replace('NativeModule ', ''));
  require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(loaded));
  process.stdout.write('listed');
});`,
  );
  const foreign = await startForeign();
  foreign.delay(60_000);
  try {
    await using session = launch({
      env: { HOSTDECK_BASE_URL: foreign.baseUrl, HOSTDECK_TOKEN: foreign.token },
      cols: 120,
      rows: 36,
      command: [process.execPath, '--require', hook, path.join(root, 'dist/cli.js')],
    });
    await session.waitFor('1 Deployments');
    session.press('2');
    await session.waitFor('[2 Files');
    session.kill('SIGUSR2');
    await session.waitFor(({ transcript }) => transcript.includes('listed'));
    const loaded = JSON.parse(readFileSync(list, 'utf8')) as string[];
    expect(loaded).toContain('tty');
    const slow = /^(?:crypto|child_process|perf_hooks|v8|tls)$/;
    expect(loaded.filter((module) => slow.test(module))).toEqual([]);
  } finally {
    await foreign.close();
  }
});

test('nothing before the first list loads cryptography, nor what works on files', () => {
  const loaded = loadedWith('run.', 'mount-', 'pool-');
  expect(loaded).toContain('http');
  const slow = /^(?:crypto|child_process|perf_hooks|tls|fs\/promises|internal\/fs\/promises)$/;
  expect(loaded.filter((module) => slow.test(module))).toEqual([]);
});

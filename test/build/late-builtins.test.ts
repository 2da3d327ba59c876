import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import util from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { lateBuiltins, lateParts } from '../../.config/late-builtins.ts';

const root = path.resolve(import.meta.dirname, '../..');

async function standIn(name: string): Promise<Record<string, unknown>> {
  const source = lateBuiltins[name] ?? '';
  const url = `data:text/javascript,${encodeURIComponent(source)}`;
  return (await import(/* @vite-ignore */ url)) as Record<string, unknown>;
}

test('what stands for process is the process', async () => {
  const own = await standIn('process');
  expect(own['default']).toBe(process);
  expect(own['env']).toBe(process.env);
  expect((own['cwd'] as typeof process.cwd)()).toBe(process.cwd());
});

test('what stands for util answers as it does', async () => {
  const own = (await standIn('util')) as Pick<
    typeof util,
    'inspect' | 'isDeepStrictEqual' | 'stripVTControlCharacters' | 'types'
  >;
  fc.assert(
    fc.property(fc.anything(), fc.anything(), fc.string({ unit: 'binary' }), (one, two, text) => {
      expect(own.inspect(one)).toBe(util.inspect(one));
      expect(own.isDeepStrictEqual(one, two)).toBe(util.isDeepStrictEqual(one, two));
      expect(own.isDeepStrictEqual(one, structuredCloneOr(one))).toBe(
        util.isDeepStrictEqual(one, structuredCloneOr(one)),
      );
      const coloured = `\x1b[31m${text}\x1b[0m`;
      expect(own.stripVTControlCharacters(coloured)).toBe(util.stripVTControlCharacters(coloured));
    }),
  );
  expect(own.types.isNativeError(new TypeError('x'))).toBe(true);
  expect(own.types.isNativeError({ message: 'x' })).toBe(false);
});

function structuredCloneOr(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}

test('what stands for child_process runs programs', async () => {
  const own = await standIn('child_process');
  const run = own['execFileSync'] as (file: string, given: string[]) => Buffer;
  expect(run(process.execPath, ['-p', '1 + 1']).toString()).toBe('2\n');
});

test.each(Object.entries(lateParts))('%s still has what is put off', async (file, change) => {
  const source = await readFile(path.join(root, 'node_modules', file), 'utf8');
  expect(change(source)).not.toBe(source);
  expect(() => change('')).toThrow('is no longer there');
});

/** A chunk and all that it imports from the start. */
function loadedWith(chunk: string, known = new Set<string>()): Set<string> {
  if (known.has(chunk)) return known;
  known.add(chunk);
  const code = readFileSync(path.join(root, 'dist/chunks', chunk), 'utf8');
  for (const [, next = ''] of code.matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g)) {
    loadedWith(next, known);
  }
  return known;
}

test('nothing before the first frame loads the modules that are slow to', () => {
  const chunks = readdirSync(path.join(root, 'dist/chunks'));
  const mount = chunks.find((name) => name.startsWith('mount-')) ?? '';
  const early = [...loadedWith('run.js'), ...loadedWith(mount)];
  const slow = early.filter((chunk) =>
    /from"(?:node:)?(?:util|process|child_process|fs\/promises)"/.test(
      readFileSync(path.join(root, 'dist/chunks', chunk), 'utf8'),
    ),
  );
  expect(slow).toEqual([]);
});

test('nothing before the first list loads cryptography, nor what works on files', () => {
  const chunks = readdirSync(path.join(root, 'dist/chunks'));
  const connect = chunks.find((name) => name.startsWith('connect-')) ?? '';
  const slow = [...loadedWith(connect)].filter((chunk) =>
    /from"(?:node:)?(?:crypto|fs\/promises)"/.test(
      readFileSync(path.join(root, 'dist/chunks', chunk), 'utf8'),
    ),
  );
  expect(slow).toEqual([]);
});

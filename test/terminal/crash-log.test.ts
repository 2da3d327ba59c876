import { mkdtempDisposable } from 'node:fs/promises';
import { readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { withSourceLines } from '../../source/terminal/crash-log.ts';

const chunks = path.resolve(import.meta.dirname, '../../dist/chunks');

/** A module that throws on its third line, built into one line in a folder of its own. */
async function builtModule() {
  const folder = await mkdtempDisposable(path.join(tmpdir(), 'source-lines-'));
  const source = 'export function fail(): never {\n  // Line 2.\n  throw new Error("broken");\n}\n';
  const { code, map } = await transform(source, {
    loader: 'ts',
    minify: true,
    sourcemap: 'external',
    sourcefile: 'fail.ts',
  });
  const file = path.join(folder.path, 'fail.js');
  writeFileSync(file, code);
  return { file, map, [Symbol.asyncDispose]: () => folder.remove() };
}

async function stackOf(file: string): Promise<string> {
  const { fail } = await import(pathToFileURL(file).href);
  try {
    fail();
  } catch (error) {
    return (error as Error).stack ?? '';
  }
  throw new Error('nothing was thrown');
}

describe('a stack trace of built files', () => {
  it('names the source line where a source map lies beside the file', async () => {
    await using built = await builtModule();
    writeFileSync(`${built.file}.map`, built.map);
    const trace = `Error: broken\n    at fail (${pathToFileURL(built.file).href}:1:32)`;
    expect(withSourceLines(trace)).toContain(`${path.dirname(built.file)}/fail.ts:3:`);
    expect(withSourceLines(await stackOf(built.file))).toContain('fail.ts:3:');
  });

  it('stays as it is without a map, and with one that is no map', async () => {
    await using built = await builtModule();
    const trace = await stackOf(built.file);
    expect(withSourceLines(trace)).toBe(trace);
    writeFileSync(`${built.file}.map`, '{');
    expect(withSourceLines(trace)).toBe(trace);
  });
});

describe('the build', () => {
  it('writes a source map for every file that runs, down to the source', () => {
    const files = readdirSync(chunks);
    const present = new Set(files);
    const isStub = (file: string) => /^(?:run|mount|pool)(?:-[A-Z0-9]{8})?\.js$/.test(file);
    const unmapped = files.filter(
      (file) => file.endsWith('.js') && !present.has(`${file}.map`) && !isStub(file),
    );
    expect(unmapped).toEqual([]);
    const script = path.join(chunks, 'part-run.js');
    const places = Array.from({ length: 40 }, (_, line) => `at f (${script}:${line + 1}:200)`);
    expect(withSourceLines(places.join('\n'))).toMatch(/\/source\/[\w/-]+\.tsx?:\d+:\d+/);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const chunks = path.resolve(import.meta.dirname, '../../dist/chunks');

/** A word of the YAML parser's that minifying leaves. */
const parser = 'TAB_AS_INDENT';

/** Chunks that are loaded when one of these is, which is what static imports bring along. */
function loadedWith(files: readonly string[]): ReadonlySet<string> {
  const loaded = new Set(files);
  for (const file of loaded) {
    const text = readFileSync(path.join(chunks, file), 'utf8');
    for (const [, other = ''] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g))
      loaded.add(other);
  }
  return loaded;
}

test('the YAML parser is there, but loaded by nothing before the first list', () => {
  const all = readdirSync(chunks).filter((file) => file.endsWith('.js'));
  const first = all.filter((file) => /^(?:run\.|mount-|pool-|part-)/.test(file));
  expect(first).toHaveLength(5);
  const holders = all.filter((file) =>
    readFileSync(path.join(chunks, file), 'utf8').includes(parser),
  );
  expect(holders).not.toEqual([]);
  const loaded = loadedWith(first);
  expect(loaded.size).toBeGreaterThanOrEqual(5);
  expect(holders.filter((file) => loaded.has(file))).toEqual([]);
});

import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

const module = new URL('../../source/start/code-cache.ts', import.meta.url).href;

const program = `
const { startCodeCache } = await import(process.argv[1]);
const [, , folder, kept, comes] = process.argv;
const started = startCodeCache(kept === '' ? undefined : kept);
const later = (file) => file;
const load = (name, ...given) => {
  const meta = { filename: folder + name, dirname: folder, url: 'file://' + folder + name };
  return globalThis[Symbol.for('hostdeck.part')](meta, ...given, later);
};
const run = load('/run.js', 'part-run.js', 'h1');
if (comes !== 'first') load('/mount-A.js', 'part-mount.js', 'h2');
if (comes === 'end') started();
process.stdout.write(String(load('/mount-A.js', 'part-mount.js', 'h2').say()));
`;

/** A program of two parts whose code is kept in a folder. */
async function twoParts() {
  const made = await mkdtempDisposable(path.join(tmpdir(), 'kept-parts-'));
  const kept = path.join(made.path, 'kept');
  mkdirSync(kept);
  const write = (name: string, body: string) =>
    writeFileSync(
      path.join(made.path, `part-${name}.js`),
      `(function(require,module,location,later){"use strict";${body}})`,
    );
  write('run', 'module.exports={word:()=>"word"}');
  write(
    'mount',
    'module.exports={say:()=>require("./run.js").word()+require("node:path").sep+later("x")+location.slice(-10)}',
  );
  return {
    kept,
    write,
    run(comes: 'first' | 'both' | 'end', folder = kept): string {
      const given = ['--input-type=module', '-e', program, module, made.path, folder, comes];
      const { stdout, stderr } = spawnSync(process.execPath, given, { encoding: 'utf8' });
      return stdout + stderr;
    },
    files: () => readdirSync(kept).toSorted(),
    reached: (name: string) => readFileSync(path.join(kept, `${name}.code`), 'latin1').at(-1),
    [Symbol.asyncDispose]: () => made.remove(),
  };
}

test('parts get what others export, and what Node has', async () => {
  await using parts = await twoParts();
  expect(parts.run('end', '')).toBe('word/xmount-A.js');
  expect(parts.files()).toEqual([]);
});

test('code is kept for its owner, and again when a start came further', async () => {
  await using parts = await twoParts();
  expect(parts.run('both')).toBe('word/xmount-A.js');
  expect(parts.files()).toEqual(['part-mount.code', 'part-run.code']);
  expect(statSync(path.join(parts.kept, 'part-run.code')).mode & 0o777).toBe(0o600);
  expect(parts.reached('part-run')).toBe('2');
  expect(parts.run('end')).toBe('word/xmount-A.js');
  expect(parts.reached('part-run')).toBe('9');
  expect(parts.run('both')).toBe('word/xmount-A.js');
  expect(parts.reached('part-mount')).toBe('9');
});

test('what is kept of another build, or in part, is not used', async () => {
  await using parts = await twoParts();
  parts.run('end');
  const file = path.join(parts.kept, 'part-mount.code');
  truncateSync(file, 40);
  expect(parts.run('both')).toBe('word/xmount-A.js');
  expect(parts.reached('part-mount')).toBe('2');
  writeFileSync(file, 'h29');
  expect(parts.run('both')).toBe('word/xmount-A.js');
  writeFileSync(file, 'nonsense h29');
  expect(parts.run('both')).toBe('word/xmount-A.js');
  writeFileSync(file, readFileSync(file, 'latin1').replace(/h2\d$/, 'h39'), 'latin1');
  expect(parts.run('both')).toBe('word/xmount-A.js');
  expect(parts.reached('part-mount')).toBe('2');
});

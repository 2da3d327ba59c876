import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { measureTree } from '../../../source/host/files/tree-walk.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Returns the bytes of a tree as du counts them. */
function bytesOf(folder: string): number {
  return Number(execFileSync('du', ['-sB1', folder]).toString().split('\t')[0]);
}

it('a tree is as large as its blocks: deep, with holes, and links counted once', async () => {
  const folder = temporaryFolder();
  const deep = path.join(folder, ...Array.from({ length: 30 }, () => 'deeper'.repeat(10)));
  mkdirSync(deep, { recursive: true });
  writeFileSync(path.join(deep, 'file'), Buffer.alloc(300_000, 'x'));
  writeFileSync(path.join(folder, 'twice'), Buffer.alloc(500_000, 'x'));
  linkSync(path.join(folder, 'twice'), path.join(folder, 'again'));
  writeFileSync(path.join(folder, 'hole'), 'x');
  truncateSync(path.join(folder, 'hole'), 2 ** 40);
  symlinkSync('/usr', path.join(folder, 'elsewhere'));
  expect(await measureTree(folder, Number.POSITIVE_INFINITY)).toBe(bytesOf(folder));
});

it('a walk ends once it has found more than is asked for', async () => {
  const folder = temporaryFolder();
  for (let at = 0; at < 50; at += 1) {
    writeFileSync(path.join(folder, `file ${at}`), Buffer.alloc(100_000, 'x'));
  }
  const found = await measureTree(folder, 1_000_000);
  expect(found).toBeGreaterThan(1_000_000);
  expect(found).toBeLessThan(1_200_000);
});

it('a tree that is missing, or a file, takes nothing', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'file'), 'x');
  expect(await measureTree(path.join(folder, 'missing'), 1)).toBe(0);
  expect(await measureTree(path.join(folder, 'file'), 1)).toBe(0);
});

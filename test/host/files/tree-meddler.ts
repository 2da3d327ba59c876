/**
 * A program that swaps folders of a tree for links to an outside folder and back, as fast as it
 * can, until it is killed. Creates missing folders, and prints each hundredth swap.
 */
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [root = '', outside = ''] = process.argv.slice(2);
const deadline = performance.now() + 120_000;
const attempts = [
  (at: string) => mkdirSync(path.join(root, 'a/b/c'), { recursive: true }) ?? at,
  (at: string) => writeFileSync(path.join(at, 'file'), 'x'),
  (at: string) => renameSync(at, `${at}.aside`),
  (at: string) => symlinkSync(outside, at),
  (at: string) => unlinkSync(at),
  (at: string) => renameSync(`${at}.aside`, at),
  // Folders that were moved aside would fill the tree.
  (at: string) => rmSync(`${at}.aside`, { recursive: true, force: true }),
];

for (let swap = 1; performance.now() < deadline; swap += 1) {
  const at = path.join(root, ['a', 'a/b', 'a/b/c'][swap % 3] ?? '');
  for (const attempt of attempts) {
    try {
      attempt(at);
    } catch {
      // The entry was removed at the same time.
    }
  }
  if (swap % 100 === 0) process.stdout.write(`${swap}\n`);
}

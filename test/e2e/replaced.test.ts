import { cpSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { launchOnForeign } from './foreign-console.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The built program in a folder of its own, which can be taken away under it. */
function installed(): string {
  const folder = temporaryFolder();
  for (const name of ['dist', 'package.json']) {
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return path.join(folder, 'dist');
}

test('a program that was replaced on the disk says so, and goes on with what it has', async () => {
  const dist = installed();
  await using deck = await launchOnForeign({ script: path.join(dist, 'cli.js') });
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  const chunks = path.join(dist, 'chunks');
  for (const name of readdirSync(chunks)) {
    if (name.startsWith('palette-')) rmSync(path.join(chunks, name));
  }
  session.press(':');
  await session.waitFor('was updated on this machine. Quit and start it again.');
  session.press('3');
  await session.waitFor('[3 Grants 0]');
  expect(session.screen).toContain('No grants.');
});

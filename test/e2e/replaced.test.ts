import { cpSync, mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createDraftsFolder } from '../../source/disk/drafts-folder.ts';
import { launchOnForeign } from './foreign-console.ts';
import { Home } from './harness-home.ts';
import { quit } from './quit.ts';
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

/** Moves the parts with these names away. Returns the function that brings them back. */
function takeAway(dist: string, prefix: string): () => void {
  const [chunks, away] = [path.join(dist, 'chunks'), path.join(dist, 'away')];
  mkdirSync(away);
  const names = readdirSync(chunks).filter((name) => name.startsWith(prefix));
  expect(names).not.toEqual([]);
  for (const name of names) renameSync(path.join(chunks, name), path.join(away, name));
  return () => {
    for (const name of names) renameSync(path.join(away, name), path.join(chunks, name));
  };
}

test('a program that was replaced on the disk says so, and goes on with what it has', async () => {
  const dist = installed();
  await using deck = await launchOnForeign({ script: path.join(dist, 'cli.js') });
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  takeAway(dist, 'palette-');
  session.press(':');
  await session.waitFor('was updated on this machine. Quit and start it again.');
  session.press('3');
  await session.waitFor('[3 Grants 0]');
  expect(session.screen).toContain('No grants.');
});

test('a program that can never load its parts ends when it is quit', async () => {
  const dist = installed();
  takeAway(dist, 'file-work-');
  await using deck = await launchOnForeign({ script: path.join(dist, 'cli.js') });
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('2');
  await session.waitFor('[2 Files');
  await quit(session);
  expect(await session.exited).toMatchObject({ code: 0 });
});

test('a view that can not be loaded ends the start with one line about it', async () => {
  const dist = installed();
  takeAway(dist, 'mount-');
  await using deck = await launchOnForeign({ script: path.join(dist, 'cli.js') });
  const { session } = deck;
  expect(await session.exited).toMatchObject({ code: 1 });
  expect(session.screen.trim()).toBe(
    'hostdeck was updated on this machine. Quit and start it again.',
  );
});

test('drafts are offered once the part that reads them can be loaded', async () => {
  const dist = installed();
  const home = new Home();
  onTestFinished(() => home.remove());
  const bringBack = takeAway(dist, 'drafts-folder-');
  await using deck = await launchOnForeign({
    home,
    script: path.join(dist, 'cli.js'),
    async prepare({ baseUrl, sample }) {
      const state = path.join(home.env['XDG_STATE_HOME'] ?? '', 'hostdeck');
      const place = { deploymentId: sample, service: 'web', path: 'index.html' };
      const base = 'old';
      await createDraftsFolder(state, baseUrl, Promise.resolve('4194305-0123456789ab')).write({
        ...place,
        text: 'new',
        base,
        at: Date.now(),
      });
    },
  });
  const { session } = deck;
  await session.waitFor('was updated on this machine.');
  bringBack();
  await session.waitFor('Open index.html');
});

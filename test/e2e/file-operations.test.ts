import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { here } from './console-here.ts';
import { enterUntil } from './edit-console.ts';
import { pressUntil } from './foreign-console.ts';
import { launch, type Session } from './harness.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Puts the cursor of the tree on a file of the host's sample, by the filter. */
async function goTo(session: Session, name: string): Promise<void> {
  session.press('/');
  session.type(name);
  session.press('enter');
  await session.waitFor((now) => new RegExp(`^>[o ] +${name}`, 'm').test(now.screen));
}

test('on the host: X deletes after its box, and u restores the file', async () => {
  await using session = launch({ run: here });
  await session.waitFor(/job \d+/);
  session.press('2');
  await session.waitFor('README.md');
  await goTo(session, 'package.json');
  session.press('X');
  await session.waitFor('delete package.json?');
  await session.waitFor('[Cancel]   Delete');
  session.press('tab');
  await session.waitFor('[Delete]');
  await pressUntil(session, 'enter', (now) => !now.screen.includes('[Delete]'));
  await session.waitFor('Deleted package.json. u undoes this.');
  await session.waitFor(/restart \ds/);
  await session.waitFor((now) => !/^..? +package\.json/m.test(now.screen));
  session.press('u');
  await session.waitFor(/> \d\d:\d\d {2}Deleted package\.json +sample\/web package/);
  await enterUntil(session, (now) => !now.screen.includes('Enter undo'));
  await session.waitFor('Restored package.json.');
  await session.waitFor(/^>[o ] +package\.json/m);
  expect(session.screen).toContain('package.json');
});

test('on the host: a opens an empty file by its path, and ^S creates it', async () => {
  await using session = launch({ run: here });
  await session.waitFor(/job \d+/);
  session.press('2');
  await session.waitFor('README.md');
  await goTo(session, 'package.json');
  session.press('a');
  await session.waitFor('New file in sample/web:');
  session.type('notes/today.txt');
  await session.waitFor('notes/today.txt');
  session.press('enter');
  // These keys reach the editor, also when it opens after them.
  session.type('hello');
  await session.waitFor(/EDIT notes\/today\.txt +unsaved/);
  await session.waitFor(/1 hello/);
  expect(session.screen).not.toMatch(/restart \ds/);
  session.press('ctrl+q');
  await session.waitFor('notes/today.txt is not created. Draft kept; e opens it.');
  await session.waitFor(/^>[o ] +today\.txt .* new$/m);
  session.press('e');
  await session.waitFor(/1 hello/);
  session.press('ctrl+s');
  await session.waitFor('Saved notes/today.txt');
  await session.waitFor(/restart \ds/);
  session.press('ctrl+q');
  await session.waitFor(/^>[o ] +today\.txt +5 B/m);
});

test('on the host: p uploads a folder after its box, and S downloads it again', async () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'site'));
  writeFileSync(path.join(folder, 'site/a b.txt'), 'text');
  await using session = launch({ cwd: folder });
  await session.waitFor(/job \d+/);
  session.press('2');
  await session.waitFor('README.md');
  await goTo(session, 'package.json');
  session.press('p');
  await session.waitFor('Upload to sample/web/ from:');
  session.type('si');
  session.press('tab');
  await session.waitFor('from: site/');
  session.press('enter');
  await session.waitFor('upload a b.txt?');
  session.press('tab');
  await session.waitFor('[Upload]');
  await pressUntil(session, 'enter', (now) => !now.screen.includes('[Upload]'));
  await session.waitFor('1 file uploaded to sample/web.');
  await session.waitFor(/restart \ds/);
  // The list may come later than the message: a name typed before finds no row to go to.
  await session.waitFor('[2 Files sample/web 9');
  await goTo(session, 'a b.txt');
  session.press('S');
  await session.waitFor('Save a b.txt into folder: ./');
  session.type('out');
  await session.waitFor('into folder: out');
  await pressUntil(session, 'enter', (now) => !now.screen.includes('into folder'));
  await session.waitFor('1 file saved to');
  expect(readFileSync(path.join(folder, 'out/a b.txt'), 'utf8')).toBe('text');
});

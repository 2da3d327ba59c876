import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { launchOnForeign } from './foreign-console.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A program that shows the text, waits for a line and writes it into the file. */
function scriptedEditor(): string {
  const folder = temporaryFolder();
  const program = path.join(folder, 'editor.sh');
  const script =
    'echo "EDITING"; cat "$1"; read line; [ "$line" = no ] && exit 1; echo "$line" >> "$1"';
  writeFileSync(program, `${script}\n`);
  return `sh ${program}`;
}

async function launchWithEditor() {
  const deck = await launchOnForeign({ env: { EDITOR: scriptedEditor() } });
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('2');
  await session.waitFor('README.md');
  session.press('G');
  await session.waitFor(/^> +README/m);
  return deck;
}

test('^O hands the file to $EDITOR, and what comes back is the draft', async () => {
  await using deck = await launchWithEditor();
  const { session, foreign } = deck;
  session.press('ctrl+o');
  await session.waitFor('EDITING');
  session.type('a line of its own\r');
  await session.waitFor('changed in $EDITOR. q opens the draft; there ^S saves');
  await session.waitFor(/\+ a line of its own/);
  session.press('q');
  await session.waitFor(/EDIT \S+ {2}unsaved/);
  await session.waitFor('a line of its own');
  expect(foreign.requests.filter(({ method }) => method === 'PUT')).toEqual([]);
  session.press('ctrl+z');
  await session.waitFor((now) => !now.screen.includes('a line of its own'));
});

test('a failing exit of $EDITOR changes nothing, and keys go to the console again', async () => {
  await using deck = await launchWithEditor();
  const { session } = deck;
  session.press('ctrl+o');
  await session.waitFor('EDITING');
  session.type('no\r');
  await session.waitFor('exited with 1. Nothing was changed.');
  session.press('ctrl+q');
  await session.waitFor('[2 Files bazaar/web');
  expect(session.screen).not.toContain('draft');
});

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packIncident } from '../../source/disk/incident-file.ts';
import { smallIncident } from '../store/incident/incidents.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { launch } from './harness.ts';
import { quit } from './quit.ts';

test('an incident file opens without a service, shows its log and marks, and refuses changes', async () => {
  const file = path.join(temporaryFolder(), 'shop.tar.gz');
  const marks = smallIncident().lines.slice(0, 1);
  const facts = { missing: ['No files.'], events: [{ at: 0, text: 'web app.yaml was saved.' }] };
  await writeFile(file, await packIncident(smallIncident(facts, { marks })));
  await using session = launch({ args: ['open', file], cols: 80, rows: 24 });
  await session.waitFor(/INCIDENT file, .*\d\d:\d\d to \d\d:\d\d .*READ-ONLY/);
  await session.waitFor(/^\*.*web +started/m);
  await session.waitFor('1 thing is missing in this incident file.');
  session.type(':history\r');
  await session.waitFor(/web app.yaml was saved\.[\s\S]*Missing: No files\./);
  session.press('1', 'r');
  await session.waitFor('An incident file is read-only.');
  session.type(':profile\r');
  await session.waitFor('An incident file has no services to switch to.');
  await quit(session);
  expect(await session.exited).toEqual({ code: 0, signal: undefined });
});

test('a file that is no incident file is refused before the screen opens', async () => {
  const file = path.join(temporaryFolder(), 'notes.txt');
  await writeFile(file, 'not an incident');
  await using session = launch({ args: ['open', file], cols: 80, rows: 24 });
  expect((await session.exited).code).toBe(1);
  expect(session.screen).toContain("This isn't an incident file, or it is damaged.");
});

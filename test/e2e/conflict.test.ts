import { expect, test } from 'vitest';
import { choose, edit, openDesk, type Desk } from './edit-console.ts';
import type { Session } from './harness.ts';

const path = 'config/app.yaml';
const yaml = 'server:\n  port: 8080\n';
const slow = { env: { HOSTDECK_RESTART_DELAY: '600' } };

/** Types into the file while somebody else writes it, and saves: the box is up. */
async function conflict({ start, strangerPuts }: Desk, theirs: string): Promise<Session> {
  const session = await start(slow);
  await edit(session, 'app.yaml');
  session.type('# mine\n'.replace('\n', '\r'));
  await session.waitFor('1 # mine');
  strangerPuts(path, theirs);
  session.press('ctrl+s');
  await session.waitFor('app.yaml changed on the service ─');
  return session;
}

test('the box of a conflict counts the changes and keeps editing by default', async () => {
  const desk = await openDesk();
  await using session = await conflict(desk, `${yaml}  host: any\n`);
  await session.waitFor(/│ Opened \d\d:\d\d.*\. Theirs \+1, yours \+1\. +│/);
  await session.waitFor(/│ {3}\d \+ {3}host: any +theirs +│/);
  await session.waitFor(/> Keep editing +nothing is sent/);
  expect(session.terminal.modes.cursorVisible).toBe(false);
  await choose(session, 'Keep editing');
  await session.waitFor((now) => now.terminal.modes.cursorVisible);
  session.type('more ');
  await session.waitFor('2 more server:');
  expect(desk.puts()).toBe(0);
  session.press('ctrl+s');
  await session.waitFor('app.yaml changed on the service ─');
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('> Keep editing'));
  await expect.poll(desk.keptDrafts).toContain('more server');
  expect(desk.puts()).toBe(0);
});

test('merged, both are in the editor; saved, both are on the service', async () => {
  const desk = await openDesk();
  await using session = await conflict(desk, `${yaml}  host: any\n`);
  await choose(session, 'Merge');
  await session.waitFor('Merged app.yaml, not saved yet. ^S saves.');
  await session.waitFor('4   host: any');
  await session.waitFor('EDIT config/app.yaml  unsaved');
  expect(desk.puts()).toBe(0);
  session.press('ctrl+s');
  await session.waitFor('Saved config/app.yaml');
  expect(desk.stored(path)).toBe(`# mine\n${yaml}  host: any\n`);
});

test('overwritten, theirs is in the trash', async () => {
  const desk = await openDesk();
  await using session = await conflict(desk, 'theirs alone\n');
  await session.waitFor(/Theirs \+\d.*, yours \+\d/);
  expect(session.screen).not.toContain('Merge');
  await choose(session, 'Overwrite');
  await session.waitFor('Saved config/app.yaml');
  expect(desk.stored(path)).toBe(`# mine\n${yaml}`);
  expect(desk.isTrashed('theirs alone\n')).toBe(true);
  await session.waitFor((now) => now.terminal.rows[0]?.includes('restart '));
});

test('overwritten while it was changed once more, it asks once more', async () => {
  const desk = await openDesk();
  await using session = await conflict(desk, 'theirs\n');
  desk.strangerPuts(path, 'theirs again\n');
  await choose(session, 'Overwrite');
  await session.waitFor('> Keep editing');
  expect(desk.puts()).toBe(0);
  await choose(session, 'Overwrite');
  await session.waitFor('Saved config/app.yaml');
  expect(desk.stored(path)).toBe(`# mine\n${yaml}`);
  expect(desk.isTrashed('theirs again\n')).toBe(true);
});

test('theirs taken, mine is in the trash and comes back with one undo', async () => {
  const desk = await openDesk();
  await using session = await conflict(desk, 'theirs\n');
  await choose(session, 'Use theirs');
  await session.waitFor('Now editing their app.yaml.');
  await session.waitFor('1 theirs');
  expect(session.terminal.rows[1]).not.toContain('unsaved');
  expect(desk.isTrashed(`# mine\n${yaml}`)).toBe(true);
  session.press('ctrl+z');
  await session.waitFor('1 # mine');
  await session.waitFor('EDIT config/app.yaml  unsaved');
  expect([desk.puts(), desk.stored(path)]).toEqual([0, 'theirs\n']);
});

test('left to them where theirs is no text, the editor closes and the draft stays', async () => {
  const desk = await openDesk();
  await using session = await desk.start(slow);
  await edit(session, 'app.yaml');
  session.type('# mine ');
  await session.waitFor('1 # mine server');
  desk.foreign.put(desk.foreign.sample, 'web', path, Buffer.from([0, 0xff]));
  session.press('ctrl+s');
  await session.waitFor("Their version is not text and can't be merged.");
  await choose(session, 'Use theirs');
  await session.waitFor('[2 Files bazaar/web');
  await session.waitFor(/app\.yaml .* draft/);
  expect(desk.keptDrafts()).toContain('# mine server');
  session.press('e');
  await session.waitFor('1 # mine server');
});

test('deleted by somebody else: said first, offered then, and created again', async () => {
  const desk = await openDesk();
  await using session = await desk.start(slow);
  await edit(session, 'app.yaml');
  session.type('# mine ');
  await session.waitFor('1 # mine server');
  desk.foreign.deployments.get(desk.foreign.sample)?.files.get('web')?.delete(path);
  session.press('ctrl+s');
  await session.waitFor('app.yaml was deleted on the service. Nothing was sent. ^S: create again.');
  session.press('ctrl+s');
  await session.waitFor('app.yaml was deleted on the service ─');
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('Create again'));
  expect(desk.stored(path)).toBeUndefined();
  await expect.poll(desk.keptDrafts).toContain('# mine server');
  session.press('ctrl+s');
  await choose(session, 'Create again');
  await session.waitFor('Saved config/app.yaml');
  expect(desk.stored(path)).toBe(`# mine ${yaml}`);
});

test('renamed by somebody else, it is not written under its old name by itself', async () => {
  const desk = await openDesk();
  await using session = await desk.start(slow);
  await edit(session, 'app.yaml');
  session.type('# mine ');
  await session.waitFor('1 # mine server');
  const files = desk.foreign.deployments.get(desk.foreign.sample)?.files.get('web');
  files?.set('config/renamed.yaml', Buffer.from(yaml));
  files?.delete(path);
  session.press('ctrl+s');
  await session.waitFor('app.yaml was deleted on the service. Nothing was sent.');
  expect([desk.puts(), desk.stored('config/renamed.yaml')]).toEqual([0, yaml]);
  session.press('ctrl+q');
  await session.waitFor('Draft kept');
  expect(session.terminal.rows[0]).toContain('1 draft');
});

test('a service that is away keeps the draft, and the next save sends it', async () => {
  const desk = await openDesk();
  await using session = await desk.start(slow);
  await edit(session, 'app.yaml');
  session.type('# mine ');
  await session.waitFor('1 # mine server');
  await desk.foreign.away();
  session.press('ctrl+s');
  await session.waitFor('app.yaml was not saved.');
  expect(session.terminal.rows[1]).toContain('unsaved');
  await desk.foreign.back();
  session.press('ctrl+s');
  await session.waitFor('Saved config/app.yaml');
  expect(desk.stored(path)).toBe(`# mine ${yaml}`);
});

test('a save whose answer is lost says so, and the next one finds it and counts', async () => {
  const desk = await openDesk();
  await using session = await desk.start(slow);
  await edit(session, 'app.yaml');
  session.type('# mine ');
  await session.waitFor('1 # mine server');
  desk.foreign.failNext(1, { status: 504, method: 'PUT' });
  session.press('ctrl+s');
  await session.waitFor('app.yaml may not have been saved. Draft kept; ^S retries.');
  expect(session.terminal.rows[0]).not.toContain('restart');
  desk.strangerPuts(path, `# mine ${yaml}`);
  session.press('ctrl+q');
  await session.waitFor('[2 Files bazaar/web');
  session.press('e');
  await session.waitFor('EDIT config/app.yaml');
  session.press('ctrl+s');
  await session.waitFor('Saved config/app.yaml');
  await session.waitFor((now) => now.terminal.rows[0]?.includes('restart '));
  expect(desk.puts()).toBe(1);
});

import { expect, test } from 'vitest';
import { edit, enterUntil, openDesk } from './edit-console.ts';
import type { Session } from './harness.ts';

/** Without a pending restart, the program ends at once. */
const unhurried = { env: { HOSTDECK_RESTART_DELAY: 'off' } };

async function quit(session: Session): Promise<void> {
  session.kill('SIGTERM');
  await session.exited;
}

async function undo(session: Session): Promise<void> {
  await enterUntil(session, ({ screen }) => !screen.includes('Enter undo'));
}

test('u undoes any change from any pane, the newest first, after the next start, too', async () => {
  const desk = await openDesk();
  const before = desk.stored('config/app.yaml') ?? '';
  {
    await using session = await desk.startProgram(unhurried);
    await edit(session, 'app.yaml');
    session.type('# mine ');
    await session.waitFor('1 # mine server');
    session.press('ctrl+s');
    await session.waitFor('Saved config/app.yaml');
    await session.waitFor((now) => !now.screen.includes('unsaved'));
    session.type('and more ');
    await session.waitFor('1 # mine and more');
    session.press('f6');
    await session.waitFor('[Cancel]');
    session.press('tab');
    await session.waitFor('[Discard]');
    await enterUntil(session, ({ screen }) => !screen.includes('[Discard]'));
    await session.waitFor('Discarded the draft of app.yaml. u restores it.');
    await quit(session);
  }
  await using session = await desk.startProgram(unhurried);
  session.press('u');
  await session.waitFor(/> \d\d:\d\d {2}Discarded draft of app\.yaml +bazaar\/web conf/);
  await session.waitFor(/ {2}\d\d:\d\d {2}Saved app\.yaml +bazaar\/web conf/);
  await undo(session);
  await session.waitFor('Restored the draft of app.yaml.');
  session.press('u');
  await session.waitFor(/> \d\d:\d\d {2}Saved app\.yaml/);
  await undo(session);
  await session.waitFor('Restored config/app.yaml.');
  expect(desk.stored('config/app.yaml')).toBe(before);
});

test('an undo asks before it replaces what somebody has changed since', async () => {
  const desk = await openDesk();
  await using session = await desk.start(unhurried);
  const before = desk.stored('config/app.yaml');
  await edit(session, 'app.yaml');
  session.type('# mine ');
  await session.waitFor('1 # mine server');
  session.press('ctrl+s');
  await session.waitFor('Saved config/app.yaml');
  session.press('ctrl+q');
  await session.waitFor('[2 Files');
  desk.strangerPuts('config/app.yaml', 'theirs\n');
  session.press(':');
  await session.waitFor('Tab complete');
  session.type('trash');
  await session.waitFor(/> Trash/);
  session.press('enter');
  await session.waitFor('Enter undo');
  session.type('app sav');
  await session.waitFor(/> \d\d:\d\d {2}Saved app\.yaml/);
  await undo(session);
  await session.waitFor('config/app.yaml changed on the service since.');
  expect(desk.stored('config/app.yaml')).toBe('theirs\n');
  session.press('tab');
  await session.waitFor('[Replace]');
  await enterUntil(session, ({ screen }) => !screen.includes('[Replace]'));
  await session.waitFor('Restored config/app.yaml.');
  expect(desk.stored('config/app.yaml')).toBe(before);
  expect(desk.isTrashed('theirs\n')).toBe(true);
});

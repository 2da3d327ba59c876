import { expect, test } from 'vitest';
import { edit, openDesk } from './edit-console.ts';
import { createDeployment, openOnForeign } from './foreign-console.ts';
import type { Session } from './harness.ts';

/** Counts a text on the screen. */
function count(session: Session, text: string): number {
  return session.screen.split(text).length - 1;
}

test(':pay Enter, typed at once, opens the log of payments', async () => {
  await using deck = await openOnForeign({
    prepare: async (foreign) => {
      for (const name of ['shop', 'payments', 'papers']) await createDeployment(foreign, name);
    },
  });
  const { session, foreign } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('1');
  await session.waitFor('papers');
  session.press(':', 'p', 'a', 'y', 'enter');
  await session.waitFor('[4 Logs payments]');
  expect(foreign.writes()).toHaveLength(3);
});

test('the box has the width and the keys of the screens', async () => {
  await using deck = await openOnForeign();
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.type(':resta');
  await session.waitFor(/: resta {10}[^]*> Restart bazaar/);
  const box = session.screen.split('\n').flatMap((row) => /[┌│└].*[┐│┘]/.exec(row)?.[0] ?? []);
  expect(box.every((row) => row.length === 64)).toBe(true);
  expect(box[1]).toMatch(/^│ : resta {54}│$/);
  expect(box[2]).toBe('│ > Restart bazaar      restart...                  r ^R       │');
  expect(box.at(-1)).toBe('└ Tab complete  Up/Down  Enter run  Esc back ──────────────────┘');
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes(': resta'));
});

test('the palette fills a small terminal, and names the synonym in a box', async () => {
  await using deck = await openOnForeign({
    cols: 40,
    rows: 12,
    prepare: (foreign) => createDeployment(foreign, 'shop'),
  });
  const { session } = deck;
  await session.waitFor('4 Logs');
  session.press('1');
  await session.waitFor('shop');
  session.type(':delshp');
  await session.waitFor(/^: delshp$/m);
  await session.waitFor(/^> Close shop +X$/m);
  const { rows } = session.terminal;
  expect(rows[1]).toMatch(/: command ━+ 1 of \d+$/);
  expect(rows[11]).toMatch(/Enter run {2}Esc back$/);
  session.resize(80, 24);
  await session.waitFor(/│ > Close shop {10}deployment {2}delete = close {2}X +│/);
});

test('the history tells of a save, a restart that failed and a refusal', async () => {
  const desk = await openDesk();
  await using session = await desk.start({
    rows: 33,
    cols: 100,
    env: { HOSTDECK_RESTART_DELAY: '1' },
  });
  await edit(session, 'README');
  session.type('one ');
  desk.foreign.failNext(1, { status: 503, method: 'POST' });
  session.press('ctrl+s');
  await session.waitFor('Restart of bazaar failed (503)');
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('(503)'));
  desk.foreign.failNext(1, { status: 422, method: 'PUT' });
  session.type('two ');
  session.press('ctrl+s');
  await session.waitFor((now) => now.screen.includes('422'));
  session.press('f2');
  await session.waitFor('Tab complete');
  session.type('hist');
  await session.waitFor('> History');
  session.press('enter');
  await session.waitFor('[4 History]');
  await session.waitFor(/update file bazaar\/web README\.md: 204 in \d+/);
  await session.waitFor(/restart deployment bazaar: 503 in \d+/);
  await session.waitFor(/update file bazaar\/web README\.md: 422 in \d+/);
  expect(count(session, 'the service said: injected failure')).toBe(2);
  expect(session.screen).not.toContain(desk.foreign.token);
  session.press('q');
  await session.waitFor(/EDIT README\.md/);
  expect(desk.stored('README.md')).toBe('one # bazaar\n');
});

test('F2 opens the palette over the editor, and Esc lets typing go on', async () => {
  const desk = await openDesk();
  await using session = await desk.start();
  await edit(session, 'README');
  session.press('f2');
  await session.waitFor('> Leave');
  session.press(':', 'u', 'n', 'd');
  await session.waitFor('No match here. The help searches all panes.');
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('Tab complete'));
  session.type('still typing: ');
  await session.waitFor('still typing: # bazaar');
  session.press('f2');
  await session.waitFor('> Leave');
  session.type('undo');
  await session.waitFor('> Undo');
  session.press('enter');
  await session.waitFor((now) => !now.screen.includes('still typing'));
});

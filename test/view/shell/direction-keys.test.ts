import { expect, test } from 'vitest';
import { openDeck } from '../open-deck.ts';
import { goToFile, press, type } from '../press-keys.ts';
import { createDeployment } from '../../e2e/foreign-console.ts';

test('h and l walk the file tree out and in, as Left and Right do', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const cursor = () => deck.lists.files.idUnderCursor();
  const folder =
    deck.lists.files
      .ids()
      .find((path) => path.includes('/'))
      ?.split('/')[0] ?? '';
  const file = deck.lists.files.ids().find((path) => path.startsWith(`${folder}/`)) ?? '';
  goToFile(deck, file);
  press(deck, 'h');
  expect(cursor()).toBe(folder);
  press(deck, 'h');
  expect(deck.lists.files.ids()).not.toContain(file);
  press(deck, 'h');
  expect(cursor()).toBe(folder);
  press(deck, 'l');
  expect(deck.lists.files.ids()).toContain(file);
  press(deck, 'right');
  expect(cursor()).toBe(file);
  press(deck, 'l');
  expect(deck.screen.getState()).toMatchObject({ focus: 'main', main: { kind: 'file' } });
  press(deck, 'l');
  expect(deck.screen.getState().scroll.left).toBe(8);
  press(deck, 'h', 'h');
  expect(deck.screen.getState().scroll.left).toBe(0);
  press(deck, 'l', 'l', 'l', '0');
  expect(deck.screen.getState().scroll.left).toBe(0);
});

test('l opens the grant in its list, and in the log it scrolls sideways', async () => {
  await using open = await openDeck({}, ({ grants, wallet }) => {
    const createdAt = new Date().toISOString();
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const grant = { id: 'g', grantor: wallet, grantee: '0x5a', limit: 5, spent: 0 };
    grants.set('g', { ...grant, createdAt, expiresAt });
  });
  const { deck } = open;
  press(deck, '3', 'l');
  expect(deck.screen.getState().main.kind).toBe('grant');
  press(deck, 'escape', 'ctrl+t');
  expect(deck.screen.getState().main.kind).toBe('logs');
  press(deck, 'l', 'l', 'h');
  expect(deck.screen.getState().logLeft).toBe(8);
});

test('^F and ^B move by pages, as PgDn and PgUp do', async () => {
  await using open = await openDeck({}, async (foreign) => {
    for (let number = 0; number < 12; number += 1) await createDeployment(foreign, `d${number}`);
  });
  const { deck } = open;
  const index = () => deck.lists.deployments.cursorIndex();
  press(deck, '1', 'g', 'ctrl+f');
  expect(index()).toBe(9);
  press(deck, 'ctrl+b');
  expect(index()).toBe(0);
});

test('* marks all shown deployments, or none', async () => {
  await using open = await openDeck({}, async (foreign) => {
    for (const name of ['pay-1', 'pay-2', 'shop']) await createDeployment(foreign, name);
  });
  const { deck } = open;
  const marks = () => deck.screen.getState().deploymentMarks.size;
  press(deck, '1', '*');
  expect(marks()).toBe(deck.lists.deployments.ids().length);
  press(deck, '*');
  expect(marks()).toBe(0);
  press(deck, '/');
  type(deck, 'pay');
  press(deck, 'enter', 'space', '*');
  expect(marks()).toBe(2);
});

test('* marks files and folded folders, but no folder of which a filter hides a part', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const marks = () => [...deck.screen.getState().marks].sort();
  const folder =
    deck.lists.files
      .ids()
      .find((path) => path.includes('/'))
      ?.split('/')[0] ?? '';
  press(deck, '2', '*');
  expect(marks()).not.toContain(folder);
  expect(marks().some((path) => path.startsWith(`${folder}/`))).toBe(true);
  press(deck, '*');
  expect(marks()).toEqual([]);
  goToFile(deck, folder);
  press(deck, 'h', '*');
  expect(marks()).toContain(folder);
  press(deck, '*', 'l', '/');
  type(deck, folder);
  press(deck, 'enter', '*');
  expect(marks()).not.toContain(folder);
});

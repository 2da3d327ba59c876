import { expect, test } from 'vitest';
import { createWriteAccess } from '../../../source/store/deck/write-access.ts';
import { openDeck } from '../open-deck.ts';
import { press, said, type } from '../press-keys.ts';
import { offered, openPalette } from './palette/open-palette.ts';

test(':set readonly and :set truecolour change the session', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const set = async (text: string) => {
    await openPalette(deck);
    type(deck, text);
    expect(offered(deck)[0]).toBe(text);
    press(deck, 'enter');
  };
  await set('set readonly on');
  expect(deck.access.state.getState().isReadOnly).toBe(true);
  press(deck, '1', 'X');
  await said(deck, 'test is read-only. :set readonly off allows changes.');
  await set('set readonly off');
  expect(deck.access.refusal()).toBeUndefined();
  await set('set truecolour on');
  expect(deck.screen.getState().hasTrueColour).toBe(true);
  await set('set truecolour off');
  expect(deck.screen.getState().hasTrueColour).toBe(false);
});

test(':set restart-delay asks for a delay and tells what it must be', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const enter = async (text: string) => {
    await openPalette(deck);
    type(deck, 'set restart-delay');
    press(deck, 'enter');
    type(deck, text);
    press(deck, 'enter');
  };
  await enter('soon');
  expect(deck.screen.getState().overlay).toMatchObject({
    kind: 'prompt',
    text: 'soon',
    problem: { sentence: 'A delay is a number of seconds, or off.' },
  });
  press(deck, 'escape');
  await enter('off');
  expect(deck.screen.getState().restartDelay).toBe('off');
  await said(deck, 'Changes are applied by r alone; nothing restarts by itself.');
  deck.restarts.filesChanged('x', { service: 'web', path: 'a' });
  expect(deck.restarts.state.getState().get('x')?.kind).toBe('unapplied');
  await enter('7.5');
  await said(deck, 'Restarts follow the last change after 7.5 s.');
  deck.restarts.filesChanged('x', { service: 'web', path: 'a' });
  expect(deck.restarts.state.getState().get('x')).toMatchObject({ kind: 'counting', left: 7500 });
});

test(':set finds the bell and the themes too', async () => {
  await using open = await openDeck();
  const { deck } = open;
  await openPalette(deck);
  type(deck, 'set bell off');
  expect(offered(deck)[0]).toBe('bell off');
  press(deck, 'ctrl+u');
  type(deck, 'set theme dark');
  expect(offered(deck)[0]).toBe('theme dark');
});

test('a read-only profile stays read-only', () => {
  const access = createWriteAccess({ name: 'prod', production: true }, true);
  expect(access.setReadOnly(false)).toEqual({
    sentence: 'PROD is read-only.',
    next: ':profile switches.',
  });
  expect(access.refusal()).toBeDefined();
});

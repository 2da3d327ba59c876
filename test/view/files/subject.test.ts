import { expect, test } from 'vitest';
import { openDeck } from '../open-deck.ts';
import { press } from '../press-keys.ts';
import { setScreen } from '../../support/set-screen.ts';

test.each(['e', 'D', 'ctrl+o'])('%s without a file explains what to do', async (key) => {
  await using open = await openDeck();
  const { screen } = open.deck;
  setScreen(screen, ({ filters }) => ({ focus: 'files', filters: { ...filters, files: 'zzz' } }));
  press(open.deck, key);
  expect(screen.getState().message?.text).toBe('Select a file first.');
});

import { expect, test } from 'vitest';
import { openDeck } from '../open-deck.ts';
import { press } from '../press-keys.ts';

test.each(['e', 'D', 'ctrl+o'])('%s where the filter leaves no file says so', async (key) => {
  await using open = await openDeck();
  const { screen } = open.deck;
  screen.setState(({ filters }) => ({ focus: 'files', filters: { ...filters, files: 'zzz' } }));
  press(open.deck, key);
  expect(screen.getState().message?.text).toBe('There is no file here.');
});

import { expect, test } from 'vitest';
import { openDeck } from '../open-deck.ts';
import { press, type } from '../press-keys.ts';
import { offered, openPalette } from './palette/open-palette.ts';

test(':theme offers each theme, and Enter chooses one', async () => {
  await using open = await openDeck();
  const { deck } = open;
  await openPalette(deck);
  type(deck, 'theme');
  const themes = ['theme auto', 'theme dark', 'theme light', 'theme contrast', 'theme mono'];
  expect(offered(deck).toSorted()).toEqual(themes.toSorted());
  type(deck, ' light');
  expect(offered(deck)[0]).toBe('theme light');
  press(deck, 'enter');
  expect(deck.screen.getState().theme).toBe('light');
});

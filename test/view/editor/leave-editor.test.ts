import { expect, test } from 'vitest';
import { openDeck } from '../open-deck.ts';
import { goToFile, press, said } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

test('leaving unsaved text names the key that opens its draft', async () => {
  await using open = await openDeck({}, (foreign) => {
    foreign.put(foreign.sample, 'web', 'page.txt', 'text');
  });
  const { deck, foreign } = open;
  const edit = async () => {
    press(deck, 'e');
    await waitFor(() => expect(deck.screen.getState().main.kind).toBe('editor'));
  };
  goToFile(deck, 'page.txt');
  await edit();
  press(deck, 'x', 'ctrl+q');
  await said(deck, 'page.txt is not saved. Draft kept; e opens it.');
  await edit();
  const files = foreign.deployments.get(foreign.sample)?.files.get('web');
  expect(files?.delete('page.txt')).toBe(true);
  await deck.files.list.refresh();
  press(deck, 'y', 'ctrl+q');
  await said(deck, 'page.txt is not saved. Draft kept; e opens it.');
});

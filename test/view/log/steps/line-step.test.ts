import { expect, test } from 'vitest';
import { detailRows, isDetails } from '../../../../source/view/details/details.ts';
import { openDeck } from '../../open-deck.ts';
import { press, said } from '../../press-keys.ts';
import { waitFor } from '../../../support/wait-for.ts';

test('n and N step through the lines in the details, and move the cursor of the log', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const texts = ['one', 'two', 'three'];
  for (const text of texts) foreign.append(foreign.sample, 'web', text);
  const { tail } = deck.opened.getState();
  await waitFor(() => expect(tail?.entries.length).toBe(2 + texts.length));
  const shown = () => {
    const { main } = deck.screen.getState();
    return isDetails(main) ? detailRows(deck, main, 0).at(-1)?.value : undefined;
  };
  press(deck, '4', 'k', 'enter', 'j');
  const { detailCursor } = deck.screen.getState();
  expect(shown()).toBe('two');
  press(deck, 'N');
  expect(shown()).toBe('one');
  expect(deck.screen.getState().detailCursor).toBe(detailCursor);
  press(deck, 'n', 'n');
  expect(shown()).toBe('three');
  press(deck, 'n');
  await said(deck, 'No newer line.');
  press(deck, 'N', 'N', 'N', 'N', 'N');
  await said(deck, 'No older line is loaded.');
  press(deck, 'q');
  expect(deck.screen.getState().main.kind).toBe('logs');
  const position = tail?.view.position.getState();
  const first = tail?.entries.at(0)?.seq;
  expect(position).toMatchObject({ kind: 'frozen', cursor: first });
});

test('n in the details of a deployment does nothing', async () => {
  await using open = await openDeck();
  press(open.deck, '1', 'd');
  const before = open.deck.screen.getState().main;
  press(open.deck, 'n');
  expect(open.deck.screen.getState().main).toBe(before);
});

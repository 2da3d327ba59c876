import { expect, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { openDeck } from '../open-deck.ts';
import { goToFile, press } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Returns the number of rows that the only line of the open file needs. */
function wrappedRows({ editor }: Deck): number | undefined {
  return editor.act((text) => {
    text.resize({ columns: 20, rows: 10 });
    text.run('line-end');
    return (text.viewModel().cursor?.row ?? -1) + 1;
  });
}

test('viewer and editor share one wrap setting for w and Alt-W', async () => {
  await using open = await openDeck({}, (foreign) => {
    foreign.put(foreign.sample, 'web', 'long.txt', 'word '.repeat(12));
  });
  const { deck } = open;
  const opened = () => expect(deck.screen.getState().main.kind).toBe('editor');
  goToFile(deck, 'long.txt');
  press(deck, 'enter');
  await waitFor(() => expect(deck.screen.getState().main.kind).toBe('file'));
  press(deck, 'w', 'e');
  await waitFor(opened);
  expect(wrappedRows(deck)).toBeGreaterThan(1);
  press(deck, 'alt+w');
  expect(wrappedRows(deck)).toBe(1);
  press(deck, 'ctrl+t', 'w', 'ctrl+t');
  opened();
  expect(wrappedRows(deck)).toBeGreaterThan(1);
});

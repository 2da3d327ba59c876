import { expect, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { openDeck } from '../open-deck.ts';
import { goToFile, press } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Rows that the one long line of the open file takes. */
function rowsTaken({ editor }: Deck): number | undefined {
  return editor.act((text) => {
    text.resize({ columns: 20, rows: 10 });
    text.run('line-end');
    return (text.viewModel().cursor?.row ?? -1) + 1;
  });
}

test('what was wrapped in a view is wrapped in the editor, and w and Alt-W are one', async () => {
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
  expect(rowsTaken(deck)).toBeGreaterThan(1);
  press(deck, 'alt+w');
  expect(rowsTaken(deck)).toBe(1);
  press(deck, 'ctrl+t', 'w', 'ctrl+t');
  opened();
  expect(rowsTaken(deck)).toBeGreaterThan(1);
});

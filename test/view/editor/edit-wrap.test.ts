import { expect, test } from 'vitest';
import type { Console } from '../../../source/store/deck/deck.ts';
import { openConsole } from '../open-deck.ts';
import { goToFile, press } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Rows that the one long line of the open file takes. */
function rowsTaken({ editor }: Console): number | undefined {
  return editor.act((text) => {
    text.resize({ columns: 20, rows: 10 });
    text.run('line-end');
    return (text.picture().cursor?.row ?? -1) + 1;
  });
}

test('what was wrapped in a view is wrapped in the editor, and w and Alt-W are one', async () => {
  await using open = await openConsole({}, (foreign) => {
    foreign.put(foreign.sample, 'web', 'long.txt', 'word '.repeat(12));
  });
  const { console } = open;
  const opened = () => expect(console.screen.getState().main.kind).toBe('editor');
  goToFile(console, 'long.txt');
  press(console, 'enter');
  await waitFor(() => expect(console.screen.getState().main.kind).toBe('file'));
  press(console, 'w', 'e');
  await waitFor(opened);
  expect(rowsTaken(console)).toBeGreaterThan(1);
  press(console, 'alt+w');
  expect(rowsTaken(console)).toBe(1);
  press(console, 'ctrl+t', 'w', 'ctrl+t');
  opened();
  expect(rowsTaken(console)).toBeGreaterThan(1);
});

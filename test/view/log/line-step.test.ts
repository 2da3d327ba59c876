import { expect, test } from 'vitest';
import { detailRows, isDetails } from '../../../source/view/details/details.ts';
import { openConsole } from '../open-deck.ts';
import { press, said } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

test('n and N go from line to line in the details, and the cursor of the log goes along', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  const texts = ['one', 'two', 'three'];
  for (const text of texts) foreign.append(foreign.sample, 'web', text);
  const { tail } = console.opened.getState();
  await waitFor(() => expect(tail?.entries.length).toBe(2 + texts.length));
  const shown = () => {
    const { main } = console.screen.getState();
    return isDetails(main) ? detailRows(console, main, 0).at(-1)?.value : undefined;
  };
  press(console, '4', 'k', 'enter', 'j');
  const { detailCursor } = console.screen.getState();
  expect(shown()).toBe('two');
  press(console, 'N');
  expect(shown()).toBe('one');
  expect(console.screen.getState().detailCursor).toBe(detailCursor);
  press(console, 'n', 'n');
  expect(shown()).toBe('three');
  press(console, 'n');
  await said(console, 'No newer line.');
  press(console, 'N', 'N', 'N', 'N', 'N');
  await said(console, 'No older line at hand.');
  press(console, 'q');
  expect(console.screen.getState().main.kind).toBe('logs');
  const position = tail?.view.position.getState();
  const first = tail?.entries.at(0)?.seq;
  expect(position).toMatchObject({ kind: 'frozen', cursor: first });
});

test('n in the details of a deployment does nothing', async () => {
  await using open = await openConsole();
  press(open.console, '1', 'd');
  const before = open.console.screen.getState().main;
  press(open.console, 'n');
  expect(open.console.screen.getState().main).toBe(before);
});

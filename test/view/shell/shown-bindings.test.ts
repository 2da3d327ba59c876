import { expect, test } from 'vitest';
import { footerLine } from '../../../source/view/shell/footer.ts';
import { shownBindings } from '../../../source/view/shell/shown-bindings.ts';
import { openDeck } from '../open-deck.ts';
import { press } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

test('the footer of the log names what freezes it, or what follows again', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  foreign.append(foreign.sample, 'web', 'one');
  await waitFor(() => {
    expect(deck.opened.getState().tail?.entries.length).toBeGreaterThan(0);
  });
  const footer = (width: number) =>
    footerLine('logs', width, shownBindings(deck, 'logs'))
      .map(({ text }) => text)
      .join('');
  press(deck, '4');
  expect(footer(80)).toBe(
    'Space freeze  e/E error  / search  & filter  s services  v select  ? help',
  );
  press(deck, 'space');
  expect(footer(80)).toBe(
    'G follow  e/E error  / search  & filter  v select  y copy  S export  ? help',
  );
  expect(footer(100)).toContain('S export  s services');
  expect(footer(40)).toBe('G follow  e/E error  / search  ? help');
});

test('the details of a line name the keys to other lines, those of others do not', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  foreign.append(foreign.sample, 'web', 'one');
  await waitFor(() => {
    expect(deck.opened.getState().tail?.entries.length).toBeGreaterThan(0);
  });
  const commands = () => shownBindings(deck, 'details').map(({ command }) => command);
  press(deck, '4', 'enter');
  expect(commands()).toEqual(expect.arrayContaining(['newer-line', 'older-line']));
  expect(commands()).not.toContain('raw-answer');
  press(deck, 'q', '1', 'd');
  expect(commands()).not.toContain('newer-line');
  expect(commands()).toContain('raw-answer');
});

import { expect, test } from 'vitest';
import { footerLine } from '../../../source/view/shell/footer.ts';
import type { KeyContext } from '../../../source/view/command/command.ts';
import { shownCommands } from '../../../source/view/command/registry.ts';
import { registeredCommands } from '../../../source/view/shell/commands.ts';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { templates } from '../../../source/store/editor/templates.ts';
import { look } from '../../store/editor/open-editor.ts';
import { openDeck } from '../open-deck.ts';
import { press } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

function shown(deck: Deck, context: KeyContext) {
  return shownCommands(registeredCommands, context, deck);
}

function footerOf(deck: Deck, context: KeyContext, width: number): string {
  return footerLine(shown(deck, context), context, width)
    .map(({ text }) => text)
    .join('');
}

test('the footer of the log names the key that pauses or follows it', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  foreign.append(foreign.sample, 'web', 'one');
  await waitFor(() => {
    expect(deck.opened.getState().tail?.entries.length).toBeGreaterThan(0);
  });
  const footer = (width: number) => footerOf(deck, 'logs', width);
  press(deck, '4');
  expect(footer(80)).toBe('Space pause  / search  & filter  F filters  e/E error  q back  ? help');
  press(deck, 'space');
  expect(footer(80)).toBe(
    'G follow  / search  & filter  F filters  e/E error  q back  y copy  ? help',
  );
  expect(footer(120)).toBe(
    'G follow  / search  & filter  F filters  e/E error  q back  y copy  S download  v select  i histogram  ? help',
  );
  expect(footer(150)).toContain('w wrap  s services');
  expect(footer(40)).toBe('G follow  / search  & filter  ? help');
});

test('only the details of a line name the keys to other lines', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  foreign.append(foreign.sample, 'web', 'one');
  await waitFor(() => {
    expect(deck.opened.getState().tail?.entries.length).toBeGreaterThan(0);
  });
  const commands = () => shown(deck, 'details').map(({ command }) => command.id);
  press(deck, '4', 'enter');
  expect(commands()).toEqual(expect.arrayContaining(['log.newer-line', 'log.older-line']));
  expect(commands()).not.toContain('details.json');
  press(deck, 'q', '1', 'd');
  expect(commands()).not.toContain('log.newer-line');
  expect(commands()).toContain('details.json');
});

test('the footer of each view of pane 4 names the key back, in narrow terminals too', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  foreign.append(foreign.sample, 'web', 'one');
  await waitFor(() => {
    expect(deck.opened.getState().tail?.entries.length).toBeGreaterThan(0);
  });
  press(deck, '4', 'enter');
  expect(footerOf(deck, 'details', 80)).toBe(
    'n/N other line  / search  w wrap  q back  Space page  d deployment  ? help',
  );
  press(deck, 'q', '1', 'd');
  expect(footerOf(deck, 'details', 80)).toBe(
    '/ search  w wrap  q back  Space page  J JSON  y copy  r restart  ? help',
  );
  expect(footerOf(deck, 'details', 40)).toContain('q back');
  for (const context of ['patterns', 'diff', 'history'] as const) {
    expect(footerOf(deck, context, 80)).toContain('q back');
  }
  expect(footerOf(deck, 'diff', 40)).toBe('n next  N previous  q back  ? help');
});

test('the footer of a definition labels ^S create and has no restart', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const footer = () => footerOf(deck, 'edit', 80);
  await deck.editor.open({ deploymentId: foreign.sample, service: 'web', path: 'README.md' }, look);
  expect(footer()).toBe(
    '^S save  ^Q leave  ^F find  ^Z undo  ^R restart  ^T tail  F6 discard  F1 help',
  );
  const begin = async () => ({ ok: true, text: templates.web }) as const;
  await deck.editor.compose({ newDeployment: '1' }, look, begin);
  expect(footer()).toBe(
    '^S create  ^Q leave  ^F find  ^Z undo  ^T tail  F6 discard  F8 problem  F1 help',
  );
  const helps = shown(deck, 'edit').map(({ help }) => help);
  expect(helps).toContain('create...');
  expect(helps).not.toContain('save');
});

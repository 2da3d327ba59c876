import { expect, test } from 'vitest';
import { keyContexts } from '../../../source/view/command/command.ts';
import { helpPages } from '../../../source/view/shell/help.tsx';
import { keyLabel } from '../../../source/view/command/key-label.ts';
import { commandsIn, listedCommands } from '../../../source/view/command/registry.ts';
import { registeredCommands } from '../../../source/view/shell/commands.ts';
import { openDeck } from '../open-deck.ts';
import { press } from '../press-keys.ts';

const boxes = [
  { columns: 60, room: 20 },
  { columns: 34, room: 6 },
  { columns: 60, room: 46 },
];

test.each(keyContexts)('the help of %s lists every key in a terminal of any size', (context) => {
  const commands = commandsIn(registeredCommands, context);
  for (const { columns, room } of boxes) {
    const pages = helpPages(commands, columns, room);
    for (const page of pages) expect(page.length).toBeLessThanOrEqual(room);
    const text = pages.flat(2).map((part) => part.text.trim());
    for (const { keys, help } of listedCommands(commands)) {
      expect(text).toContain(help);
      expect(text).toContain(keys.map(keyLabel).join(' '));
    }
  }
});

test('Space and arrows turn the pages of the help, and another pane starts at page 1', async () => {
  await using open = await openDeck();
  const { screen } = open.deck;
  const page = () => {
    const { overlay } = screen.getState();
    return overlay?.kind === 'help' ? overlay.page : undefined;
  };
  press(open.deck, '?', 'space', 'down');
  expect(page()).toBe(2);
  press(open.deck, 'up');
  expect(page()).toBe(1);
  press(open.deck, 'tab');
  expect(page()).toBe(0);
});

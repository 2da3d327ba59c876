import { expect, test } from 'vitest';
import type { Deck } from '../../../../source/store/deck/deck.ts';
import { openDeck } from '../../open-deck.ts';
import { paste, press, type } from '../../press-keys.ts';
import { look } from '../../../store/editor/open-editor.ts';
import { panes } from '../../../../source/store/deck/screen/focus.ts';
import { isListed } from '../../../../source/view/command/registry.ts';
import { registeredCommands } from '../../../../source/view/shell/commands.ts';
import { openHelpRows } from '../../../../source/view/shell/help/help-rows.ts';

function opened(deck: Deck) {
  const { overlay } = deck.screen.getState();
  if (overlay?.kind !== 'help') throw new Error('no help is open');
  return overlay;
}

test('the help opens at the focused pane, and Tab shows the others with the same search', async () => {
  await using open = await openDeck();
  const { deck } = open;
  press(deck, '1', '?');
  expect(opened(deck)).toMatchObject({ pane: 'deployments', text: '' });
  type(deck, 'copy');
  press(deck, 'tab');
  expect(opened(deck)).toMatchObject({ pane: 'files', text: 'copy' });
  press(deck, 'shift+tab', 'shift+tab');
  expect(opened(deck)).toMatchObject({ pane: 'main', text: 'copy' });
  press(deck, 'escape');
  expect(deck.screen.getState()).toMatchObject({ overlay: undefined, focus: 'deployments' });
});

test('? closes the help that nothing was typed into, and is text after other text', async () => {
  await using open = await openDeck();
  const { deck } = open;
  press(deck, '?', '?');
  expect(deck.screen.getState().overlay).toBeUndefined();
  press(deck, '?', 'q', 'j', '?');
  expect(opened(deck).text).toBe('qj?');
  press(deck, 'f1');
  expect(deck.screen.getState().overlay).toBeUndefined();
});

test('Enter runs the selected command in its pane', async () => {
  await using open = await openDeck();
  const { deck } = open;
  press(deck, '4', '?');
  type(deck, 'wrap');
  press(deck, 'enter');
  expect(deck.screen.getState()).toMatchObject({ overlay: undefined, wrap: true });
  press(deck, '?', 'tab');
  type(deck, 'close');
  press(deck, 'enter');
  expect(deck.screen.getState()).toMatchObject({ focus: 'deployments' });
  expect(open.foreign.writes()).toEqual([]);
});

test('arrows select, and a search that finds nothing leaves Enter without effect', async () => {
  await using open = await openDeck();
  const { deck } = open;
  press(deck, '4', '?', 'down');
  expect(opened(deck).chosen).toBe('log.follow');
  press(deck, 'up', 'up');
  expect(opened(deck).chosen).toBe('log.freeze');
  paste(deck, 'no such\r');
  expect(opened(deck)).toMatchObject({ text: 'no such', chosen: undefined });
  press(deck, 'enter', 'up', 'down', 'pagedown', 'enter');
  expect(opened(deck).text).toBe('no such');
});

test('over a box Enter only returns to the box', async () => {
  await using open = await openDeck();
  const { deck } = open;
  press(deck, '1', 'r');
  const box = deck.screen.getState().overlay;
  press(deck, 'f1');
  type(deck, 'quit');
  press(deck, 'enter');
  expect(deck.screen.getState().overlay).toEqual(box);
});

test('saving is not run from the help, because it writes without a confirmation', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const place = { deploymentId: foreign.sample, service: 'web', path: 'README.md' };
  await deck.editor.open(place, look);
  deck.screen.view.openEditor();
  press(deck, 'f1');
  type(deck, '^s');
  press(deck, 'enter');
  expect(deck.screen.getState().message?.text).toBe('Press ^S. It writes at once.');
  expect(foreign.writes()).toEqual([]);
});

test('a search finds the commands of all panes, says where they work, and Enter goes there', async () => {
  await using open = await openDeck();
  const { deck } = open;
  press(deck, '1', '?');
  type(deck, 'histogram');
  const rows = openHelpRows(deck, registeredCommands, { pane: 'deployments', text: 'histogram' });
  expect(rows[0]).toEqual({ kind: 'topic', text: '4 LOGS' });
  expect(rows[1]).toMatchObject({ id: 'log.histogram', keys: 'i', context: 'logs' });
  press(deck, 'down', 'up', 'enter');
  expect(deck.screen.getState()).toMatchObject({ focus: 'main', main: { kind: 'logs' } });
  expect(deck.screen.getState().overlay).toBeUndefined();
});

test('a command of a view that is not open says where it works', async () => {
  await using open = await openDeck();
  const { deck } = open;
  press(deck, '1', '?');
  type(deck, 'bracket');
  press(deck, 'enter');
  expect(deck.screen.getState()).toMatchObject({
    overlay: { kind: 'help' },
    message: { text: expect.stringContaining(' works in Edit.') },
  });
});

test('whatever is searched in one pane is found in every other', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const ids = registeredCommands
    .filter(
      (command) =>
        command.variant === undefined && isListed({ ...command, label: undefined, command }),
    )
    .map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(50);
  for (const id of ids) {
    const text = registeredCommands.find((command) => command.id === id)?.help ?? '';
    for (const pane of panes) {
      const rows = openHelpRows(deck, registeredCommands, { pane, text });
      expect(
        rows.some((row) => row.kind === 'command' && row.id === id),
        `${id} ${pane}`,
      ).toBe(true);
    }
  }
});

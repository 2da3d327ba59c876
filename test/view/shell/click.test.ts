import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { commandsIn } from '../../../source/view/command/registry.ts';
import type { ClickTarget } from '../../../source/view/parts/click-map.ts';
import { click } from '../../../source/view/shell/click.ts';
import { registeredCommands } from '../../../source/view/shell/commands.ts';
import { setScreen } from '../../support/set-screen.ts';
import { openDeck } from '../open-deck.ts';
import { press } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Clicks, presses the keys that the click stands for, and returns them. */
function clickOn(deck: Deck, target: ClickTarget, isRepeated = false): readonly string[] {
  const keys = click(deck, target, registeredCommands, isRepeated);
  press(deck, ...keys);
  return keys;
}

const row = (id: string): ClickTarget => ({ kind: 'row', pane: 'files', id });

test('a click on a row focuses its list and moves the cursor; the second one is Enter', async () => {
  await using open = await openDeck();
  const { deck } = open;
  clickOn(deck, row('README.md'));
  expect(deck.screen.getState().focus).toBe('files');
  expect(deck.lists.files.idUnderCursor()).toBe('README.md');
  expect(clickOn(deck, row('index.html'), true)).toEqual([]);
  expect(deck.lists.files.idUnderCursor()).toBe('index.html');
  expect(click(deck, row('index.html'), registeredCommands, true)).toEqual(['enter']);
  // A row that is gone meanwhile has no cursor.
  clickOn(deck, row('gone'));
  expect(deck.lists.files.idUnderCursor()).toBe('index.html');
});

test('a click on a row of Details moves its cursor', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  press(deck, '1', 'd', '1');
  expect(deck.screen.getState().main).toMatchObject({ kind: 'deployment', id: foreign.sample });
  clickOn(deck, { kind: 'detail', key: 'name', index: 1 });
  expect(deck.screen.getState()).toMatchObject({
    focus: 'main',
    detailCursor: { id: 'name', index: 1 },
  });
});

test('a click on a line of the log pauses it there, stretches a selection; the second one is Enter', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const { tail } = deck.opened.getState();
  if (tail === undefined) throw new Error('no log is open');
  for (let line = 0; line < 5; line += 1) foreign.append(foreign.sample, 'web', `line ${line}`);
  await waitFor(() => expect(tail.entries.length).toBeGreaterThanOrEqual(5));
  const seqs = [-4, -2].map((at) => tail.entries.at(tail.entries.length + at)?.seq ?? -1);
  const [first = -1, second = -1] = seqs;
  const line = (seq: number): ClickTarget => ({ kind: 'log-line', log: 'its own', seq });
  press(deck, '1');
  clickOn(deck, line(first));
  expect(deck.screen.getState().focus).toBe('main');
  expect(tail.view.position.getState()).toMatchObject({ kind: 'frozen', cursor: first });
  press(deck, 'v');
  expect(clickOn(deck, line(second))).toEqual([]);
  expect(tail.view.selection()).toEqual({ first, last: second });
  // A line that memory has dropped meanwhile, or that a filter hides now, has no row.
  clickOn(deck, line(1e9));
  expect(tail.view.position.getState()).toMatchObject({ cursor: second });
  expect(click(deck, line(second), registeredCommands, true)).toEqual(['enter']);
  press(deck, 'enter');
  expect(deck.screen.getState().main.kind).toBe('line');
});

test('a click on a line of a file chooses it, for the copy, searches and steps', async () => {
  await using open = await openDeck();
  const { deck } = open;
  setScreen(deck.screen, { focus: 'files', main: { kind: 'file' } });
  clickOn(deck, { kind: 'text-line', path: 'README.md', index: 2 });
  expect(deck.screen.getState().focus).toBe('main');
  expect(deck.textSearch.state.getState().at).toBe(2);
});

test('a click on a column orders its list, and reverses the order that it has', async () => {
  await using open = await openDeck();
  const { deck } = open;
  const age: ClickTarget = { kind: 'column', pane: 'deployments', order: 'age' };
  clickOn(deck, age);
  expect(deck.screen.getState().orders.deployments).toEqual({ by: 'age', reversed: false });
  clickOn(deck, age, true);
  expect(deck.screen.getState().orders.deployments).toEqual({ by: 'age', reversed: true });
});

test('a click does nothing behind a box or a prompt, nor beside the editor', async () => {
  await using open = await openDeck();
  const { deck } = open;
  press(deck, '1', 'r');
  const { overlay } = deck.screen.getState();
  expect(overlay?.kind).toBe('restart');
  clickOn(deck, row('README.md'));
  clickOn(deck, { kind: 'hint', command: 'app.help' });
  expect(deck.screen.getState()).toMatchObject({ focus: 'deployments', overlay });
  press(deck, 'escape');
  setScreen(deck.screen, { focus: 'main', main: { kind: 'editor' } });
  clickOn(deck, row('README.md'));
  clickOn(deck, { kind: 'pane', pane: 'grants' });
  expect(deck.screen.getState().focus).toBe('main');
  expect(clickOn(deck, { kind: 'hint', command: 'editor.save' })).toEqual([]);
  expect(deck.screen.getState().message?.text).toBe('A click writes nothing. Press the key.');
});

test('no click in the editor stands for a key that writes without a box', async () => {
  await using open = await openDeck();
  const { deck } = open;
  setScreen(deck.screen, { focus: 'main', main: { kind: 'editor' } });
  const hints = commandsIn(registeredCommands, 'edit').filter(({ keys }) => keys.length > 0);
  const keys = hints.map(({ command }) =>
    click(deck, { kind: 'hint', command: command.id }, registeredCommands, false),
  );
  expect(keys).toEqual(
    hints.map(({ command, keys: bound }) => (command.writes ? [] : bound.slice(0, 1))),
  );
  expect(keys).toContainEqual([]);
  // A hint of another context stands for no key.
  expect(clickOn(deck, { kind: 'hint', command: 'deployments.close' })).toEqual([]);
});

test('clicks alone, on whatever there is, move and order only', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  const pane = fc.constantFrom('deployments' as const, 'files' as const, 'grants' as const);
  const target: fc.Arbitrary<ClickTarget> = fc.oneof(
    fc.record({
      kind: fc.constant('row' as const),
      pane,
      id: fc.constantFrom(foreign.sample, 'README.md', 'config', 'gone'),
    }),
    fc.record({
      kind: fc.constant('column' as const),
      pane,
      order: fc.constantFrom('name' as const, 'age' as const, 'spent' as const),
    }),
    fc.record({
      kind: fc.constant('pane' as const),
      pane: fc.oneof(pane, fc.constant('main' as const)),
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(target, fc.boolean()), { maxLength: 8 }), (clicks) => {
      for (const [on, isRepeated] of clicks) {
        const keys = click(deck, on, registeredCommands, isRepeated);
        expect([[], ['enter']]).toContainEqual(keys);
        expect(deck.screen.getState()).toMatchObject({
          overlay: undefined,
          main: { kind: 'logs' },
        });
        if (on.kind === 'pane') expect(deck.screen.getState().focus).toBe(on.pane);
      }
    }),
  );
  expect(foreign.writes()).toEqual([]);
});

import { expect, test } from 'vitest';
import { isForWriting, runCommand } from '../../../source/view/command/run-command.ts';
import { registeredCommands } from '../../../source/view/shell/commands.ts';
import { openDeck } from '../open-deck.ts';
import { press, said } from '../press-keys.ts';
import { quietTerminal } from '../quiet-terminal.ts';

test('no command of a read-only console opens a box that only a write can use', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  deck.access.setReadOnly(true);
  const before = foreign.writes().length;
  const commands = registeredCommands.filter(isForWriting);
  expect(commands.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['files.edit', 'deployments.close', 'grants.create', 'editor.save']),
  );
  for (const command of commands) {
    deck.messages.say('');
    runCommand(command, {
      deck,
      terminal: quietTerminal(),
      viewport: { rows: 10, lines: 10 },
      openPalette() {},
    });
    expect(deck.screen.getState()).toMatchObject({
      overlay: undefined,
      message: { text: 'test is read-only. :set readonly off allows changes.' },
    });
  }
  press(deck, '1', 'X');
  await said(deck, 'test is read-only.');
  deck.access.setReadOnly(false);
  press(deck, 'a');
  expect(deck.screen.getState().overlay).toMatchObject({
    kind: 'menu',
    menu: { title: 'new deployment from' },
  });
  expect(foreign.writes()).toHaveLength(before);
});

test('a countdown of a console that becomes read-only ends in unapplied changes', async () => {
  await using open = await openDeck({}, undefined, { restartDelay: 600_000 });
  const { deck, foreign } = open;
  const kind = () => deck.restarts.state.getState().get(foreign.sample)?.kind;
  deck.restarts.filesChanged(foreign.sample, { service: 'web', path: 'a' });
  expect(kind()).toBe('counting');
  deck.access.setReadOnly(true);
  expect(kind()).toBe('unapplied');
  // The answer to an earlier request may come late.
  deck.restarts.filesChanged(foreign.sample, { service: 'web', path: 'b' });
  expect(kind()).toBe('unapplied');
});

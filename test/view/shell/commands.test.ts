import { describe, expect, it, vi } from 'vitest';
import { firstFooterModule, keysPage, readmeKeys } from '../../../.config/key-docs.ts';
import { type Command, contextOf, keyContexts } from '../../../source/view/command/command.ts';
import { foreignKeys, keyConflicts } from '../../../source/view/command/key-bindings.ts';
import { keyLabel } from '../../../source/view/command/key-label.ts';
import {
  commandFor,
  commandsIn,
  listedCommands,
  shownCommands,
} from '../../../source/view/command/registry.ts';
import { registeredCommands } from '../../../source/view/shell/commands.ts';
import { dispatch } from '../../../source/view/shell/dispatch.ts';
import { footerLine } from '../../../source/view/shell/footer.ts';
import { helpRows } from '../../../source/view/shell/help/help-rows.ts';
import type { Line } from '../../../source/view/text/line.ts';
import { waitFor } from '../../support/wait-for.ts';
import { openDeck } from '../open-deck.ts';
import { quietTerminal } from '../quiet-terminal.ts';
import { offered, openedPalette } from './palette/open-palette.ts';

const textOf = (lines: readonly Line[]) => lines.flatMap((line) => line.map(({ text }) => text));

function idFor(context: (typeof keyContexts)[number], key: string): string | undefined {
  return commandFor(registeredCommands, context, key)?.id;
}

describe('the registered commands', () => {
  it('have unique ids, a group and a help sentence', () => {
    const ids = registeredCommands.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    for (const { id, group, help, contexts } of registeredCommands) {
      expect(id).toMatch(/^[a-z]+\.[a-z]+(?:-[a-z]+)*$/);
      expect(group).not.toBe('');
      expect(help).not.toBe('');
      expect(contexts).not.toEqual([]);
    }
  });

  it('give no key two meanings in one context', () => {
    expect(keyConflicts(registeredCommands)).toEqual([]);
  });

  it('have a group in the order of each of their contexts', () => {
    for (const context of keyContexts) {
      const groups = commandsIn(registeredCommands, context).map(({ command }) => command.group);
      const runs = groups.filter((group, index) => group !== groups[index - 1]);
      expect(runs).toEqual([...new Set(runs)]);
      expect(groups.findLast((group) => group !== 'name')).toBe('help');
    }
  });

  // ^B is taken, because PgUp does the same where tmux wants ^B twice.
  it('leave the keys of telnet, mosh and split escapes alone', () => {
    const taken = registeredCommands.flatMap(({ keys }) => keys);
    expect(taken.filter((key) => foreignKeys.has(key))).toEqual([]);
  });

  it('open help, move and quit everywhere', () => {
    for (const context of keyContexts.filter((one) => one !== 'edit')) {
      expect(idFor(context, '?')).toBe('app.help');
      expect(idFor(context, 'j')).toBe('move.down');
      expect(idFor(context, 'q')).toBe('app.quit');
      expect(idFor(context, 'escape')).toBe('app.escape');
    }
  });

  it('give the README its keys, whichever they are', () => {
    const rebound = registeredCommands.map((each) =>
      each.id === 'trash.undo' ? { ...each, keys: ['f9'] } : each,
    );
    expect(readmeKeys(rebound)).toContain('| `F9` | undo |');
    const without = registeredCommands.filter(({ id }) => id !== 'trash.undo');
    expect(() => readmeKeys(without)).toThrow('trash.undo');
  });

  it('leave typing and movement keys to the editor', () => {
    const taken = commandsIn(registeredCommands, 'edit').flatMap(({ keys }) => keys);
    expect(taken.filter((key) => Array.from(key).length === 1 || key === 'space')).toEqual([]);
    for (const key of ['ctrl+d', 'ctrl+u', 'ctrl+n']) expect(taken).not.toContain(key);
    expect(idFor('edit', 'ctrl+s')).toBe('editor.save');
    expect(idFor('edit', 'ctrl+shift+right')).toBe('editor.select-word-right');
    expect(idFor('edit', 'alt+backspace')).toBe('editor.delete-word');
    expect(idFor('edit', 'ctrl+r')).toBe('restarts.restart');
    expect(idFor('edit', 's')).toBeUndefined();
  });

  it('have footer labels and help sentences that fit their columns', () => {
    for (const context of keyContexts) {
      for (const { keys, help } of listedCommands(commandsIn(registeredCommands, context))) {
        expect(help.length).toBeLessThanOrEqual(18);
        expect(keys.map(keyLabel).join(' ').length).toBeLessThanOrEqual(10);
      }
    }
  });
});

describe('an invented command of a noun', () => {
  const run = vi.fn();
  const invented: Command = {
    id: 'files.freshen',
    keys: ['f9'],
    contexts: ['files'],
    label: 'freshen',
    group: 'pane',
    help: 'freshen the file',
    title: 'freshen',
    synonyms: ['touch up'],
    writes: true,
    run,
  };
  const commands = [invented, ...registeredCommands];

  it('appears in the footer, the help and every generated list', () => {
    const here = commandsIn(commands, 'files');
    expect(textOf([footerLine(here, 'files', 200)]).join('')).toContain('F9 freshen');
    expect(helpRows(here, 'files')).toContainEqual({
      kind: 'command',
      context: 'files',
      id: 'files.freshen',
      keys: 'F9',
      help: 'freshen the file',
      note: ':freshen',
    });
    expect(keysPage(commands)).toContain(
      '| `F9` | freshen the file | `freshen`, touch up | yes | `files.freshen` |',
    );
    const shared = { ...invented, contexts: ['deployments'] as const };
    expect(firstFooterModule([shared])).toContain("{ key: 'F9', label: 'freshen' }");
  });

  it('runs by its key in its contexts, and by its names in the palette', async () => {
    await using open = await openDeck();
    const { deck } = open;
    const around = { deck, terminal: quietTerminal(), viewport: { rows: 10, lines: 10 } };
    const press = (name: string) => dispatch({ name, text: name }, around, commands);
    press('f9');
    expect(run).not.toHaveBeenCalled();
    press('2');
    press('f9');
    expect(run).toHaveBeenCalledTimes(1);
    press(':');
    await waitFor(() => openedPalette(deck));
    for (const letter of 'touch u') press(letter);
    expect(offered(deck)).toEqual(['freshen']);
    press('enter');
    expect(run).toHaveBeenCalledTimes(2);
  });
});

describe('a variant', () => {
  it('hides a command, renames it, or lists it after another one', async () => {
    await using open = await openDeck();
    const plain: Command = {
      id: 'a.plain',
      keys: ['a'],
      contexts: ['files'],
      label: 'a',
      group: 'pane',
      help: 'a',
      run() {},
    };
    const commands: readonly Command[] = [
      { ...plain, id: 'a.late', variant: () => ({ after: 'a.plain', label: 'late' }) },
      { ...plain, id: 'a.hidden', variant: () => ({ isHidden: true }) },
      plain,
    ];
    const shown = shownCommands(commands, 'files', open.deck);
    expect(shown.map(({ command, label }) => [command.id, label])).toEqual([
      ['a.plain', 'a'],
      ['a.late', 'late'],
    ]);
  });
});

describe('keys and contexts', () => {
  it('map the view of pane 4 to a context', () => {
    expect(contextOf('main', { kind: 'logs' })).toBe('logs');
    expect(contextOf('main', { kind: 'file' })).toBe('view');
    expect(contextOf('main', { kind: 'editor' })).toBe('edit');
    expect(contextOf('main', { kind: 'grant', id: 'g' })).toBe('details');
    expect(contextOf('files', { kind: 'file' })).toBe('files');
  });

  it('format keys in the usual notation', () => {
    expect(['ctrl+d', 'shift+tab', 'f5', 'pageup', 'G', '/'].map(keyLabel)).toEqual([
      '^D',
      'Shift-Tab',
      'F5',
      'PgUp',
      'G',
      '/',
    ]);
  });
});

it('the palette opens and runs every command without a function key', () => {
  const isFunctionKey = (key: string) => /(?:^|\+)f\d+$/.test(key);
  const unreachable = keyContexts.flatMap((context) =>
    commandsIn(registeredCommands, context)
      .filter(({ keys }) => keys.some(isFunctionKey))
      .filter(
        ({ command, keys }) =>
          command.title === undefined && !keys.some((key) => !isFunctionKey(key)),
      )
      .map(({ command }) => `${context} ${command.id}`),
  );
  expect(unreachable).toEqual([]);
  for (const context of keyContexts) {
    expect(commandFor(registeredCommands, context, 'ctrl+p')?.id).toBe('app.palette');
  }
});

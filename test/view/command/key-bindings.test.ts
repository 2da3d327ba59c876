import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { bindKeys } from '../../../source/view/command/key-bindings.ts';
import { commandFor, type Commands, commandsIn } from '../../../source/view/command/registry.ts';
import { registeredCommands } from '../../../source/view/shell/commands.ts';
import { footerKeys } from '../../../source/view/shell/footer.ts';

function boundTo(bindings: Readonly<Record<string, readonly string[]>>) {
  const bound = bindKeys(registeredCommands, new Map(Object.entries(bindings)));
  expect(bound.mistakes).toEqual([]);
  return bound.commands;
}

/** Returns the message about bindings that are refused. */
function refusal(bindings: Readonly<Record<string, readonly string[]>>): string {
  const bound = bindKeys(registeredCommands, new Map(Object.entries(bindings)));
  const [mistake] = bound.mistakes;
  // A refused binding leaves its command as it is.
  if (mistake !== undefined && bindings[mistake.id] !== undefined) {
    const keysOf = (all: Commands) => all.find(({ id }) => id === mistake.id)?.keys;
    expect(keysOf(bound.commands)).toEqual(keysOf(registeredCommands));
  }
  return mistake === undefined ? 'accepted' : `${mistake.sentence} ${mistake.next}`;
}

describe('bound keys', () => {
  it('replace the keys of their command and of no other', () => {
    const commands = boundTo({ 'app.help': ['H', 'f9'], 'editor.delete-word': ['f12'] });
    expect(commandFor(commands, 'logs', 'H')?.id).toBe('app.help');
    expect(commandFor(commands, 'edit', 'f9')?.id).toBe('app.help');
    expect(commandFor(commands, 'logs', '?')).toBeUndefined();
    expect(commandFor(commands, 'edit', 'f12')?.id).toBe('editor.delete-word');
    expect(commandFor(commands, 'edit', 'alt+backspace')).toBeUndefined();
    const others = (all: typeof commands) =>
      all.filter(({ id }) => id !== 'app.help' && id !== 'editor.delete-word');
    expect(others(commands)).toEqual(others(registeredCommands));
  });

  it('leave a command without a key by an empty list', () => {
    expect(commandFor(boundTo({ 'app.quit': [] }), 'logs', 'q')).toBeUndefined();
  });

  it('are in the footer beside those of the other command that its label covers', () => {
    const footer = (bindings: Readonly<Record<string, readonly string[]>>) =>
      footerKeys(commandsIn(boundTo(bindings), 'logs'), 'logs').find(
        ({ label }) => label === 'error',
      )?.key;
    expect(footer({ 'log.previous-error': ['f12'] })).toBe('e/F12');
    expect(footer({ 'log.previous-error': [] })).toBe('e');
  });

  it('are accepted as the documents show them', () => {
    const page = readFileSync('docs/configuration.md', 'utf8');
    const [, example = ''] = /^### Keys$[^]*?```yaml\n([^]*?)```/m.exec(page) ?? [];
    const { keys } = parse(example) as { keys: Readonly<Record<string, string | string[]>> };
    const bindings = Object.entries(keys).map(([id, one]) => [id, [one].flat()] as const);
    expect(bindings).toHaveLength(5);
    expect(boundTo(Object.fromEntries(bindings))).not.toEqual(registeredCommands);
  });

  it('may change places', () => {
    const commands = boundTo({ 'log.next-error': ['E'], 'log.previous-error': ['e', 'e'] });
    expect(commandFor(commands, 'logs', 'e')?.id).toBe('log.previous-error');
    expect(commandFor(commands, 'logs', 'E')?.id).toBe('log.next-error');
  });
});

describe('a binding is refused', () => {
  it('for an unknown command, with the nearest id', () => {
    expect(refusal({ 'app.quitt': ['Q'] })).toBe(
      'Unknown command "app.quitt". Did you mean app.quit?',
    );
    expect(refusal({ 'editor.saev': ['f9'] })).toContain('Did you mean editor.save?');
    expect(refusal({ nothing: ['Q'] })).toContain('docs/keys.md lists the ids of the commands.');
  });

  it('for a key that does not exist', () => {
    expect(refusal({ 'app.quit': ['Q', 'hyper+q'] })).toMatch(
      /^There is no key "hyper\+q"\. A key/,
    );
  });

  it('for a key that another command has in one of its contexts', () => {
    expect(refusal({ 'log.next-error': ['w'] })).toBe(
      "log.next-error can't have w, which text.wrap has in Logs. " +
        'Choose another key, or another one for text.wrap.',
    );
    // The later one of two bindings is the one to change.
    expect(refusal({ 'log.next-error': ['Q'], 'text.wrap': ['Q'] })).toMatch(
      /^text\.wrap can't have Q, which log\.next-error has in Logs\./,
    );
    expect(refusal({ 'editor.save': ['enter'] })).toContain('which editor.newline has in Edit.');
  });

  it('for a key or a command that is fixed', () => {
    expect(refusal({ 'app.quit': ['Esc'] })).toContain("can't have Esc, which is fixed.");
    expect(refusal({ 'app.escape': ['Q'] })).toContain('app.escape always has Esc.');
    expect(refusal({ 'pane.files': ['Q'] })).toContain('pane.files always has 2.');
    expect(refusal({ 'app.quit': ['O'] })).toContain('which terminals and connections use.');
  });

  it('for a key that types in the editor, where the command has no other context', () => {
    expect(refusal({ 'editor.save': ['s'] })).toContain('which types in the editor.');
    expect(refusal({ 'app.palette': [';'] })).toBe('accepted');
  });

  it('alone: the others hold, also where its own key is free no more', () => {
    const bindings = { 'app.quitt': ['Q'], 'log.previous-error': ['e'], 'log.next-error': ['f12'] };
    const bound = bindKeys(registeredCommands, new Map(Object.entries(bindings)));
    expect(bound.mistakes.map(({ id }) => id)).toEqual(['app.quitt']);
    expect(commandFor(bound.commands, 'logs', 'e')?.id).toBe('log.previous-error');
    // The wrap's own key went to the next error before the wrap's binding was refused.
    const swapped = { 'log.next-error': ['w'], 'text.wrap': ['e', 'O'] };
    const refused = bindKeys(registeredCommands, new Map(Object.entries(swapped)));
    expect(refused.mistakes.map(({ id }) => id)).toEqual(['text.wrap', 'log.next-error']);
    expect(refused.commands).toEqual(registeredCommands);
  });
});

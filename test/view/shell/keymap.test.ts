import { describe, expect, it } from 'vitest';
import { keyContexts } from '../../../source/view/command/command.ts';
import { editActionFor, editBindings } from '../../../source/view/editor/keymap.ts';
import { keyLabel } from '../../../source/view/command/key-label.ts';
import { contextOf } from '../../../source/view/command/command.ts';
import { bindings, bindingsIn, commandFor } from '../../../source/view/shell/keymap.ts';

describe('the key table', () => {
  it('gives no key two meanings in one context', () => {
    for (const context of keyContexts) {
      const keys = bindingsIn(context).flatMap((binding) => binding.keys);
      expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    }
  });

  it('leaves the keys of tmux, telnet, mosh and split escapes alone', () => {
    const taken = new Set(bindings.flatMap((binding) => binding.keys));
    for (const key of ['ctrl+b', 'ctrl+]', 'ctrl+^', '[', ']', 'O']) {
      expect(taken.has(key)).toBe(false);
    }
  });

  it('opens help, moves and quits everywhere', () => {
    for (const context of keyContexts.filter((one) => one !== 'edit')) {
      expect(commandFor(context, '?')).toBe('help');
      expect(commandFor(context, 'j')).toBe('down');
      expect(commandFor(context, 'q')).toBe('quit');
      expect(commandFor(context, 'escape')).toBe('escape');
    }
  });

  it('leaves everything that types to the editor, and the keys that panes only move by', () => {
    const taken = editBindings.flatMap((binding) => binding.keys);
    expect(taken.filter((key) => Array.from(key).length === 1 || key === 'space')).toEqual([]);
    for (const key of ['ctrl+d', 'ctrl+u', 'ctrl+p', 'ctrl+n']) expect(taken).not.toContain(key);
  });

  it('says what every key of the editor does, and takes all keys from the table', () => {
    expect(editActionFor('ctrl+s')).toBe('save');
    expect(editActionFor('ctrl+shift+right')).toBe('select-word-right');
    expect(editActionFor('s')).toBeUndefined();
  });

  it('fits every footer label and help text into its place', () => {
    for (const binding of [...bindings, ...editBindings.filter((one) => one.unlisted !== true)]) {
      expect(binding.help.length).toBeLessThanOrEqual(18);
      expect(binding.keys.map(keyLabel).join(' ').length).toBeLessThanOrEqual(10);
    }
  });

  it('knows the context of what pane 4 shows', () => {
    expect(contextOf('main', { kind: 'logs' })).toBe('logs');
    expect(contextOf('main', { kind: 'file' })).toBe('view');
    expect(contextOf('main', { kind: 'editor' })).toBe('edit');
    expect(contextOf('main', { kind: 'grant', id: 'g' })).toBe('details');
    expect(contextOf('files', { kind: 'file' })).toBe('files');
  });

  it('writes keys as people do', () => {
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

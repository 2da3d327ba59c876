import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readKeyName } from '../../../source/terminal/keys/key-name.ts';
import { keyLabel } from '../../../source/view/command/key-label.ts';
import { allKeys } from '../../support/bound-keys.ts';

describe('the name of a key', () => {
  it('is read as key events have it, and as footer and help show it', () => {
    for (const key of allKeys) {
      expect(readKeyName(key)).toBe(key);
      expect(readKeyName(keyLabel(key))).toBe(key);
    }
  });

  it.each([
    ['Ctrl+S', 'ctrl+s'],
    ['^S', 'ctrl+s'],
    ['shift+ctrl+Left', 'ctrl+shift+left'],
    ['Alt-X', 'alt+X'],
    ['F12', 'f12'],
    ['PgDn', 'pagedown'],
    ['Esc', 'escape'],
    ['-', '-'],
    ['^', '^'],
    ['ctrl+-', 'ctrl+-'],
    ['é', 'é'],
  ])('%s is %s', (text, name) => expect(readKeyName(text)).toBe(name));

  it.each([
    ['^H', 'backspace'],
    ['ctrl+i', 'tab'],
    ['shift+a', 'A'],
    ['ctrl+/', 'ctrl+_'],
  ])('%s is %s, because terminals send the same for both', (text, name) => {
    expect(readKeyName(text)).toBe(name);
  });

  it.each(['', 'entr', 'f21', 'hyper+a', 'ctrl+', 'ab', 'paste', '^[[', '\x1b', '\x07'])(
    '%j names no key',
    (text) => expect(readKeyName(text)).toBeUndefined(),
  );

  it('stays the same when it is read again', () => {
    const prefixes = fc.constantFrom('', 'ctrl+', 'alt+', 'shift+', 'ctrl+alt+', '^', 'Shift-');
    const keys = fc.oneof(fc.string({ minLength: 1, maxLength: 2 }), fc.constantFrom('Up', 'f3'));
    fc.assert(
      fc.property(prefixes, keys, (prefix, key) => {
        const name = readKeyName(prefix + key);
        if (name !== undefined) expect(readKeyName(name)).toBe(name);
      }),
    );
  });
});

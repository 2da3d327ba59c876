const finals: Readonly<Record<string, string>> = {
  up: 'A',
  down: 'B',
  right: 'C',
  left: 'D',
  end: 'F',
  home: 'H',
  f1: 'P',
  f2: 'Q',
  f3: 'R',
  f4: 'S',
};

const codes: Readonly<Record<string, number>> = {
  insert: 2,
  delete: 3,
  pageup: 5,
  pagedown: 6,
  f5: 15,
  f6: 17,
  f7: 18,
  f8: 19,
  f9: 20,
  f10: 21,
  f11: 23,
  f12: 24,
};

const bytes: Readonly<Record<string, string>> = {
  enter: '\r',
  tab: '\t',
  space: ' ',
  escape: '\x1b',
  backspace: '\x7f',
  'shift+tab': '\x1b[Z',
  'ctrl+space': '\x00',
  'ctrl+_': '\x1f',
};

/**
 * Returns what xterm sends for a key, by the names of the keymap (`j`, `ctrl+r`, `shift+f3`, `alt+up`).
 * `application`: the program has switched the cursor keys to application mode.
 */
export function keyBytes(name: string, application: boolean): string {
  const known = bytes[name];
  if (known !== undefined) return known;
  const [, ctrl, alt, shift, base = name] = /^(ctrl\+)?(alt\+)?(shift\+)?(.+)$/su.exec(name) ?? [];
  const modifiers = 1 + (shift ? 1 : 0) + (alt ? 2 : 0) + (ctrl ? 4 : 0);
  const final = finals[base];
  if (final !== undefined && modifiers > 1) return `\x1b[1;${modifiers}${final}`;
  if (final !== undefined) return (application || base.startsWith('f') ? '\x1bO' : '\x1b[') + final;
  const code = codes[base];
  if (code !== undefined) return `\x1b[${code}${modifiers > 1 ? `;${modifiers}` : ''}~`;
  const plain = bytes[base] ?? base;
  if (Array.from(plain).length > 1) throw new Error(`no such key: ${name}`);
  const typed = ctrl ? String.fromCharCode(plain.toUpperCase().charCodeAt(0) & 0x1f) : plain;
  return alt ? `\x1b${typed}` : typed;
}

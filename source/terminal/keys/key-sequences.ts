/**
 * A key press or a paste. A keymap binds its `name`:
 * - a printable character by itself (`a`, `A`, `?`, `é`), `space` for the space bar;
 * - `enter`, `escape`, `tab`, `backspace`, `delete`, `insert`, `up`, `down`, `left`, `right`, `home`,
 *   `end`, `pageup`, `pagedown`, `clear`, `f1` to `f20`;
 * - any of these after `ctrl+`, `alt+`, `shift+`, in that order (`ctrl+d`, `alt+X`, `ctrl+left`,
 *   `shift+tab`); characters carry no `shift+` but in `ctrl+shift+d`;
 * - `paste`.
 */
export interface KeyEvent {
  readonly name: string;
  /**
   * The text that the key types, one code point: a character of several code points arrives as
   * several keys. For `paste`, the pasted text with lines separated by `\n`. Absent for other keys.
   */
  readonly text?: string;
}

/** Modifier bits as terminals report them, without the 1 that these add. */
const shift = 1;
const alt = 2;
const ctrl = 4;
/** xterm's Meta, which kitty calls super, and kitty's own meta. Either counts as Alt. */
const meta = 8 | 32;

/** Final letters of `CSI … letter` and `SS3 letter` (xterm ctlseqs, "PC-Style Function Keys"). */
const letterKeys: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  E: 'clear',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};

/** Codes of `CSI code ~`: vt220 and xterm, the Linux console and screen (1, 4), rxvt (7, 8, 11-14). */
const tildeKeys: Readonly<Record<number, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
  25: 'f13',
  26: 'f14',
  28: 'f15',
  29: 'f16',
  31: 'f17',
  32: 'f18',
  33: 'f19',
  34: 'f20',
};

/** `SS3 letter` of the keypad in application mode (xterm ctlseqs, "VT220-Style Function Keys"). */
const keypadKeys: Readonly<Record<string, string>> = {
  ' ': ' ',
  I: 'tab',
  M: 'enter',
  X: '=',
  j: '*',
  k: '+',
  l: ',',
  m: '-',
  n: '.',
  o: '/',
  ...Object.fromEntries(Array.from('pqrstuvwxy', (letter, digit) => [letter, String(digit)])),
};

/** Arrows of rxvt: lower case after CSI with Shift, after SS3 with Ctrl. */
const rxvtArrows: Readonly<Record<string, string>> = { a: 'up', b: 'down', c: 'right', d: 'left' };

/** Last byte of rxvt's `CSI code byte` for the keys of {@link tildeKeys}. */
const rxvtModifiers: Readonly<Record<string, number>> = { '^': ctrl, $: shift, '@': ctrl | shift };

const tabCode = 9;

/** Unicode's control characters that have a key of their own. */
const controlKeys: Readonly<Record<number, string>> = {
  8: 'backspace',
  9: 'tab',
  13: 'enter',
  27: 'escape',
  127: 'backspace',
};

/** Functional keys of the kitty protocol (57344 and up), by code. */
const kittyKeys: Readonly<Record<number, string>> = {
  57409: '.',
  57410: '/',
  57411: '*',
  57412: '-',
  57413: '+',
  57414: 'enter',
  57415: '=',
  57416: ',',
  57417: 'left',
  57418: 'right',
  57419: 'up',
  57420: 'down',
  57421: 'pageup',
  57422: 'pagedown',
  57423: 'home',
  57424: 'end',
  57425: 'insert',
  57426: 'delete',
  57427: 'clear',
  ...Object.fromEntries(Array.from({ length: 8 }, (_, index) => [57376 + index, `f${13 + index}`])),
  ...Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [57399 + digit, String(digit)])),
};

/** The middle of the keypad, which kitty sends as `CSI 57427 ~`. */
const clearKey: Readonly<Record<number, string>> = { 57427: 'clear' };

/**
 * Returns the key of a typed code point, which may be a control character. `withAlt` is true after
 * an ESC. ESC and Tab are Shift-Tab, as the Linux console sends it; no terminal receives Alt-Tab.
 */
export function characterKey(codePoint: number, withAlt = false): KeyEvent | undefined {
  if (withAlt && codePoint === tabCode) return namedKey('tab', shift);
  return codePointKey(codePoint, withAlt ? alt : 0);
}

/**
 * Returns the key of a CSI sequence, given the part after `ESC [`. Undefined for other sequences:
 * answers of the terminal (status, attributes, cursor position, modes, keyboard flags), focus,
 * mouse, key releases. `withAlt` is true after another ESC, which is how rxvt and PuTTY send Alt;
 * undefined then also for sequences that these terminals don't send.
 */
export function csiKey(sequence: string, withAlt = false): KeyEvent | undefined {
  if (sequence.startsWith('[')) return linuxKey(sequence.slice(1));
  const [, fields, final = ''] = /^([\d;:]*)([A-Za-z~^$@])$/.exec(sequence) ?? [];
  if (fields === undefined) return undefined;
  const parameters = fields.split(';').map((field) => field.split(':').map(Number));
  const code = parameters[0]?.[0] ?? 0;
  const [modifier = 1, eventType = 1] = parameters[1] ?? [];
  if (eventType === 3) return undefined;
  const modifiers = modifier < 1 ? 0 : modifier - 1;
  if (final === 'u') return withAlt ? undefined : kittyKey(parameters, modifiers);
  if (final === '~' && code === 27) {
    return withAlt ? undefined : codePointKey(parameters[2]?.[0] ?? 0, modifiers); // modifyOtherKeys
  }
  const pressed = modifiers | (withAlt ? alt : 0);
  if (final === '~') return namedKey(tildeKeys[code] ?? clearKey[code], pressed);
  const rxvt = rxvtModifiers[final];
  if (rxvt !== undefined) return namedKey(tildeKeys[code], pressed | rxvt);
  if (final === 'Z') return namedKey('tab', pressed | shift);
  if (fields === '' && rxvtArrows[final] !== undefined) {
    return namedKey(rxvtArrows[final], pressed | shift);
  }
  // A report of the cursor's position, `CSI row ; column R`, has the form of a modified F3.
  if (final === 'R' && fields !== '' && !(code === 1 && modifier > 1 && modifier <= 16)) {
    return undefined;
  }
  return namedKey(letterKeys[final], pressed);
}

/**
 * Returns the key of an SS3 sequence, given the part after `ESC O`: a letter, which on old terminals
 * follows the modifiers.
 */
export function ss3Key(sequence: string, withAlt = false): KeyEvent | undefined {
  const final = sequence.at(-1) ?? '';
  const modifier = Number(sequence.slice(0, -1).split(';').at(-1));
  const pressed = (modifier > 1 ? modifier - 1 : 0) | (withAlt ? alt : 0);
  if (rxvtArrows[final] !== undefined) return namedKey(rxvtArrows[final], pressed | ctrl);
  const keypad = keypadKeys[final];
  if (keypad?.length === 1) return codePointKey(keypad.charCodeAt(0), pressed);
  return namedKey(letterKeys[final] ?? keypad, pressed);
}

/** Decodes `CSI [ A` to `E`, F1 to F5 of the Linux console, and the doubled bracket of Cygwin. */
function linuxKey(rest: string): KeyEvent | undefined {
  const index = 'ABCDE'.indexOf(rest);
  if (rest.length === 1 && index >= 0) return { name: `f${index + 1}` };
  if (rest === '5~') return { name: 'pageup' };
  return rest === '6~' ? { name: 'pagedown' } : undefined;
}

/**
 * Decodes `CSI code : shifted : base ; modifiers : type ; text u` (kitty keyboard protocol). `base`
 * is the code of the same key on a US keyboard; it makes `^C` work on a Cyrillic keyboard.
 */
function kittyKey(
  parameters: readonly (readonly number[])[],
  modifiers: number,
): KeyEvent | undefined {
  const [code = 0, shifted = 0, base = 0] = parameters[0] ?? [];
  const functional = kittyKeys[code];
  if (functional !== undefined && functional.length > 1) return namedKey(functional, modifiers);
  if (functional !== undefined) return codePointKey(functional.charCodeAt(0), modifiers);
  if (code >= 0xe000 && code <= 0xf8ff) return undefined; // Modifiers, media and lock keys.
  if (code === 0) return textKey(parameters[2]?.[0] ?? 0);
  const isCommand = (modifiers & (ctrl | alt | meta)) !== 0;
  if (isCommand && code > 0x7f && base > 0) return codePointKey(base, modifiers);
  const isShortcut = (modifiers & ctrl) !== 0 && isLetter(shifted);
  if (shifted > 0 && (modifiers & shift) !== 0 && !isShortcut) {
    return codePointKey(shifted, modifiers & ~shift);
  }
  return codePointKey(code, modifiers);
}

/** Returns the key of text without a key code, as input methods send it. */
function textKey(codePoint: number): KeyEvent | undefined {
  return codePoint < 0x20 ? undefined : codePointKey(codePoint, 0);
}

function isLetter(codePoint: number): boolean {
  return codePoint > 0 && codePoint <= 0x10ffff && /\p{L}/u.test(String.fromCodePoint(codePoint));
}

function codePointKey(code: number, modifiers: number): KeyEvent | undefined {
  const named = controlKeys[code];
  if (named !== undefined) return namedKey(named, modifiers);
  if (code < 0x20) {
    return characterWith(
      String.fromCharCode(code + (code >= 1 && code <= 26 ? 96 : 64)),
      modifiers | ctrl,
    );
  }
  if (code < 0xa0 && code > 0x7e) return undefined;
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
  return characterWith(String.fromCodePoint(code), modifiers);
}

function characterWith(character: string, modifiers: number): KeyEvent {
  const altPrefix = (modifiers & (alt | meta)) !== 0 ? 'alt+' : '';
  const lower = character.toLowerCase();
  const upper = character.toUpperCase();
  if ((modifiers & ctrl) !== 0) {
    const oneByte = controlLetters[lower];
    if (oneByte !== undefined && (modifiers & shift) === 0) {
      return { name: `${altPrefix}${oneByte}` };
    }
    const shiftPrefix = (modifiers & shift) !== 0 && lower !== upper ? 'shift+' : '';
    return { name: `ctrl+${altPrefix}${shiftPrefix}${ctrlAliases[lower] ?? lower}` };
  }
  const oneUpper = Array.from(upper).length === 1 ? upper : character;
  const typed = (modifiers & shift) === 0 ? character : oneUpper;
  const name = typed === ' ' ? 'space' : typed;
  return altPrefix === '' ? { name, text: typed } : { name: altPrefix + name };
}

/** Characters that share a byte under Ctrl, so that both encodings are the same key. */
const ctrlAliases: Readonly<Record<string, string>> = { ' ': 'space', '@': 'space', '/': '_' };

/** Keys that share a byte with these characters under Ctrl: `^[` is Esc. */
const controlLetters: Readonly<Record<string, string>> = {
  '[': 'escape',
  h: 'backspace',
  i: 'tab',
  m: 'enter',
};

function namedKey(name: string | undefined, modifiers: number): KeyEvent | undefined {
  if (name === undefined) return undefined;
  const prefixes = [
    (modifiers & ctrl) !== 0 ? 'ctrl+' : '',
    (modifiers & (alt | meta)) !== 0 ? 'alt+' : '',
    (modifiers & shift) !== 0 ? 'shift+' : '',
  ];
  return { name: prefixes.join('') + name };
}

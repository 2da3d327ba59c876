/**
 * One thing the person did. `name` is what a keymap binds:
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
   * What the key types: one code point, so that a character composed of several arrives as several
   * keys; for `paste` the pasted text, lines separated by `\n`. Absent where nothing is typed.
   */
  readonly text?: string;
}

/** Modifier bits as terminals report them, after the 1 they add is taken off. */
const shift = 1;
const alt = 2;
const ctrl = 4;
/** Meta of xterm, which kitty calls super, and kitty's own meta: people press Alt for either. */
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

/** Keys of their own among Unicode's controls. */
const controlKeys: Readonly<Record<number, string>> = {
  8: 'backspace',
  9: 'tab',
  13: 'enter',
  27: 'escape',
  127: 'backspace',
};

/** Functional keys of the kitty protocol that have another name here (57344 and up). */
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
 * The key of a code point as it is typed, controls included; `alt` when an ESC stood before it, but
 * for Tab: no terminal gets Alt-Tab, and it is what the Linux console sends for Shift-Tab.
 */
export function characterKey(codePoint: number, withAlt = false): KeyEvent | undefined {
  if (withAlt && codePoint === tabCode) return namedKey('tab', shift);
  return codePointKey(codePoint, withAlt ? alt : 0);
}

/**
 * The key of a CSI sequence, given all after `ESC [`. Undefined for what is no key press: answers
 * of the terminal (status, attributes, cursor position, modes, keyboard flags), focus, mouse,
 * releases of keys. `withAlt`: another ESC stood before it, which is how rxvt and PuTTY send Alt;
 * where the sequence is not of that kind, undefined too.
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
  const held = modifiers | (withAlt ? alt : 0);
  if (final === '~') return namedKey(tildeKeys[code] ?? clearKey[code], held);
  const rxvt = rxvtModifiers[final];
  if (rxvt !== undefined) return namedKey(tildeKeys[code], held | rxvt);
  if (final === 'Z') return namedKey('tab', held | shift);
  if (fields === '' && rxvtArrows[final] !== undefined) {
    return namedKey(rxvtArrows[final], held | shift);
  }
  // The cursor's position is reported as `CSI row ; column R`, which a modified F3 looks like.
  if (final === 'R' && fields !== '' && !(code === 1 && modifier > 1 && modifier <= 16)) {
    return undefined;
  }
  return namedKey(letterKeys[final], held);
}

/** The key of an SS3 sequence, given all after `ESC O`: a letter, on old terminals after modifiers. */
export function ss3Key(sequence: string, withAlt = false): KeyEvent | undefined {
  const final = sequence.at(-1) ?? '';
  const modifier = Number(sequence.slice(0, -1).split(';').at(-1));
  const held = (modifier > 1 ? modifier - 1 : 0) | (withAlt ? alt : 0);
  if (rxvtArrows[final] !== undefined) return namedKey(rxvtArrows[final], held | ctrl);
  const keypad = keypadKeys[final];
  if (keypad?.length === 1) return codePointKey(keypad.charCodeAt(0), held);
  return namedKey(letterKeys[final] ?? keypad, held);
}

/** `CSI [ A` to `E` are F1 to F5 on the Linux console; Cygwin doubles the bracket of PgUp and PgDn. */
function linuxKey(rest: string): KeyEvent | undefined {
  const index = 'ABCDE'.indexOf(rest);
  if (rest.length === 1 && index >= 0) return { name: `f${index + 1}` };
  if (rest === '5~') return { name: 'pageup' };
  return rest === '6~' ? { name: 'pagedown' } : undefined;
}

/**
 * `CSI code : shifted : base ; modifiers : type ; text u` (kitty keyboard protocol). `base` is the
 * code of the same key on a US keyboard: with it `^C` is `^C` where letters are Cyrillic.
 */
function kittyKey(
  parameters: readonly (readonly number[])[],
  modifiers: number,
): KeyEvent | undefined {
  const [code = 0, shifted = 0, base = 0] = parameters[0] ?? [];
  const known = kittyKeys[code];
  if (known !== undefined && known.length > 1) return namedKey(known, modifiers);
  if (known !== undefined) return codePointKey(known.charCodeAt(0), modifiers);
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

/** Text that no key stands for, as an input method gives it. */
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
  const withAlt = (modifiers & (alt | meta)) !== 0 ? 'alt+' : '';
  const lower = character.toLowerCase();
  const upper = character.toUpperCase();
  if ((modifiers & ctrl) !== 0) {
    const oneByte = controlLetters[lower];
    if (oneByte !== undefined && (modifiers & shift) === 0) {
      return { name: `${withAlt}${oneByte}` };
    }
    const withShift = (modifiers & shift) !== 0 && lower !== upper ? 'shift+' : '';
    return { name: `ctrl+${withAlt}${withShift}${withCtrl[lower] ?? lower}` };
  }
  const oneUpper = Array.from(upper).length === 1 ? upper : character;
  const typed = (modifiers & shift) === 0 ? character : oneUpper;
  const name = typed === ' ' ? 'space' : typed;
  return withAlt === '' ? { name, text: typed } : { name: withAlt + name };
}

/** Characters that one byte stands for together with Ctrl, so that either way of sending is one key. */
const withCtrl: Readonly<Record<string, string>> = { ' ': 'space', '@': 'space', '/': '_' };

/** Keys that have always been one byte with these characters under Ctrl: `^[` is Esc to fingers. */
const controlLetters: Readonly<Record<string, string>> = {
  '[': 'escape',
  h: 'backspace',
  i: 'tab',
  m: 'enter',
};

function namedKey(name: string | undefined, modifiers: number): KeyEvent | undefined {
  if (name === undefined) return undefined;
  const held = [
    (modifiers & ctrl) !== 0 ? 'ctrl+' : '',
    (modifiers & (alt | meta)) !== 0 ? 'alt+' : '',
    (modifiers & shift) !== 0 ? 'shift+' : '',
  ];
  return { name: held.join('') + name };
}

import { Readable } from 'node:stream';
import type { KeyEvent } from './key-sequences.ts';

/**
 * The input stream that Ink reads: one chunk is one key or one whole paste, as Ink gives a chunk to
 * `useInput` as one input. Raw mode, reference counts and the encoding are set on the real terminal
 * elsewhere, so their methods do nothing here.
 */
export class InkStdin extends Readable {
  readonly isTTY = true;

  constructor() {
    super({ objectMode: true, read() {} });
  }

  /** Returns true while a component of Ink reads keys. */
  hasReader(): boolean {
    return this.listenerCount('readable') > 0;
  }

  /** Sends Ink a key. Without a reader the key is dropped, so that no later field receives it. */
  send(event: KeyEvent): void {
    if (this.hasReader()) this.push(inkSequence(event));
  }

  setRawMode(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override setEncoding(): this {
    return this;
  }
}

const letters: Readonly<Record<string, string>> = {
  up: 'A',
  down: 'B',
  right: 'C',
  left: 'D',
  clear: 'E',
  end: 'F',
  home: 'H',
};

const numbers: Readonly<Record<string, number>> = {
  insert: 2,
  delete: 3,
  pageup: 5,
  pagedown: 6,
  f1: 11,
  f2: 12,
  f3: 13,
  f4: 14,
  f5: 15,
  f6: 17,
  f7: 18,
  f8: 19,
  f9: 20,
  f10: 21,
  f11: 23,
  f12: 24,
};

const codePoints: Readonly<Record<string, number>> = {
  tab: 9,
  enter: 13,
  escape: 27,
  space: 32,
  backspace: 127,
  ...Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`f${13 + index}`, 57376 + index])),
};

const single: Readonly<Record<string, string>> = {
  enter: '\r',
  tab: '\t',
  'shift+tab': '\x1b[Z',
  backspace: '\x7f',
};

/**
 * Returns the sequence that Ink's parser reads as this key, whatever chunks surround it. Esc and
 * characters with Ctrl or Alt take the form of the kitty protocol: after an ESC, Ink would wait for
 * more bytes and join the next key to it.
 */
function inkSequence({ name, text }: KeyEvent): string {
  if (name === 'paste') return `\x1b[200~${text ?? ''}\x1b[201~`;
  const typed = text ?? single[name];
  if (typed !== undefined) return typed;
  const [, ctrl, alt, shift, base = name] = /^(ctrl\+)?(alt\+)?(shift\+)?(.+)$/su.exec(name) ?? [];
  const modifiers = 1 + (shift ? 1 : 0) + (alt ? 2 : 0) + (ctrl ? 4 : 0);
  const letter = letters[base];
  if (letter !== undefined) return `\x1b[1;${modifiers}${letter}`;
  const number = numbers[base];
  if (number !== undefined) return `\x1b[${number};${modifiers}~`;
  return `\x1b[${codePoints[base] ?? base.codePointAt(0) ?? 0};${modifiers}u`;
}

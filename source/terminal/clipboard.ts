/** What stands between this program and the clipboard. */
export type ClipboardWay = 'tmux' | 'screen' | 'terminal';

/** Bytes of text that terminals take at once: 100,000 as an OSC 52, which is Base64. */
export const clipboardLimit = 74_994;

/** Characters of a string that GNU screen passes on; it drops longer ones (256 in old versions). */
const screenPiece = 76;

/** Would act where it is pasted: a line feed within a name ends a command of a shell. */
const acting = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Which way leads to the clipboard. tmux comes first: what runs in it inherits `STY` from around. */
export function clipboardWay(env: Readonly<Record<string, string | undefined>>): ClipboardWay {
  if (env['TMUX']) return 'tmux';
  return env['STY'] ? 'screen' : 'terminal';
}

/** Names as they go to the clipboard: one a line, without control characters of their own. */
export function clipboardText(names: readonly string[]): string {
  return names
    .map((name) => name.replace(acting, ''))
    .filter((name) => name !== '')
    .join('\n');
}

/** A text of several lines as it goes to the clipboard, without control characters but tabs. */
export function clipboardLines(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, '');
}

/** What a terminal is written to put a text on its clipboard: OSC 52, in DCS for screen. */
export function clipboardSequence(text: string, way: 'screen' | 'terminal'): string {
  const sequence = `\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`;
  if (way === 'terminal') return sequence;
  let wrapped = '';
  for (let at = 0; at < sequence.length; at += screenPiece) {
    wrapped += `\x1bP${sequence.slice(at, at + screenPiece)}\x1b\\`;
  }
  return wrapped;
}

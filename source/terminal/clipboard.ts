/** The program that passes text on to the clipboard. */
export type ClipboardMethod = 'tmux' | 'screen' | 'terminal';

/** Longest text in bytes that terminals accept at once: 100,000 bytes as Base64 in an OSC 52. */
export const clipboardLimit = 74_994;

/** Longest device control string that GNU screen passes on; old versions drop any above 256. */
const screenChunk = 76;

/** Characters that act where they are pasted: a line feed in a name ends a shell command. */
const controls = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Returns the program that passes text on to the clipboard. tmux takes precedence, because a program
 * in tmux inherits `STY` from a screen around it.
 */
export function clipboardMethod(
  env: Readonly<Record<string, string | undefined>>,
): ClipboardMethod {
  if (env['TMUX']) return 'tmux';
  return env['STY'] ? 'screen' : 'terminal';
}

/** Returns the names for the clipboard, one a line and without control characters. */
export function clipboardText(names: readonly string[]): string {
  return names
    .map((name) => name.replace(controls, ''))
    .filter((name) => name !== '')
    .join('\n');
}

/** Returns a text of several lines for the clipboard, with tabs as its only control characters. */
export function clipboardLines(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, '');
}

/** Returns the OSC 52 that puts a text on the terminal's clipboard; for screen, split over DCS. */
export function clipboardSequence(text: string, way: 'screen' | 'terminal'): string {
  const sequence = `\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`;
  if (way === 'terminal') return sequence;
  let wrapped = '';
  for (let at = 0; at < sequence.length; at += screenChunk) {
    wrapped += `\x1bP${sequence.slice(at, at + screenChunk)}\x1b\\`;
  }
  return wrapped;
}

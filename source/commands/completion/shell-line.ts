/** Reads the beginning of a command line as bash does, and writes words for it. Pure. */

/** The words of a command line, whose last one is being typed. */
export interface ShellLine {
  /** Whole words, without their quotes. */
  readonly words: readonly string[];
  /** Beginning of the last word, without its quotes; empty after a blank. */
  readonly typed: string;
  /** Quote that is open at the end; empty without one. */
  readonly quote: '' | "'" | '"';
  /** Last word as it was typed, with its quotes. */
  readonly raw: string;
}

/** Reads the command line up to the cursor; variables and commands in it stay as they are. */
export function readShellLine(line: string): ShellLine {
  const words: string[] = [];
  let typed = '';
  let quote: ShellLine['quote'] = '';
  let start: number | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (quote === '' && /\s/.test(character)) {
      if (start !== undefined) words.push(typed);
      [typed, start] = ['', undefined];
      continue;
    }
    start ??= at;
    if (quote === character) quote = '';
    else if (quote === '' && (character === "'" || character === '"')) quote = character;
    else if (character === '\\' && quote !== "'") {
      const next = line.charAt(at + 1);
      // Within double quotes a backslash is only special before these (POSIX, 2.2.3).
      const isSpecial = quote === '' || ['"', '\\', '$', '`'].includes(next);
      typed += isSpecial ? next : character + next;
      at += 1;
    } else typed += character;
  }
  return { words, typed, quote, raw: start === undefined ? '' : line.slice(start) };
}

/** Returns a word as it must be typed so that bash reads it as it is. */
export function quoteForBash(text: string, quote: ShellLine['quote']): string {
  if (quote === "'") return text.replaceAll("'", String.raw`'\''`);
  if (quote === '"') return text.replaceAll(/["\\$`]/g, String.raw`\$&`);
  return text.replaceAll(/[^\p{L}\p{N}_./:=@%+,~-]/gu, String.raw`\$&`);
}

/**
 * Returns the part of a completed word that bash replaces. Bash breaks words at further characters,
 * such as `:` and `=`, and completes only what follows the last one of the typed word.
 * @param written completed word, quoted.
 * @param breaks characters of COMP_WORDBREAKS.
 */
export function behindBreak(written: string, { raw, quote }: ShellLine, breaks: string): string {
  if (quote !== '') return written;
  const broken = new Set(breaks.replaceAll(/[\s"']/g, '').split(''));
  let last = -1;
  for (let at = 0; at < raw.length; at += 1) {
    if (raw.charAt(at) === '\\') at += 1;
    else if (broken.has(raw.charAt(at))) last = at;
  }
  const head = raw.slice(0, last + 1);
  return written.startsWith(head) ? written.slice(head.length) : written;
}

import { cellWidth } from './cells.ts';

export interface SanitizeOptions {
  /**
   * Cells between tab stops (default 8); `keep` leaves tabs in the text, and `visible` shows them as
   * other controls, for names that may differ in a tab alone.
   */
  readonly tab?: number | 'keep' | 'visible';
  /** Column at which the text begins (default 0); tab stops count from the start of the line. */
  readonly column?: number;
}

/** Most marks (accents) on one character. More would be drawn over the rows above and below. */
const marksPerCharacter = 4;

/** Text that is always safe: printable ASCII, Latin, box drawing, ellipsis and arrows. */
const plain = /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u2026\u2190-\u2193\u2500-\u257f]*$/;

/**
 * Code points that are never shown unchanged. Controls and invisible characters act on the terminal
 * or deceive the reader. The width of the others depends on the terminal: unassigned code points,
 * halves of flags, Hangul jamo within a syllable, tone marks of two cells, and letters that form a
 * cluster with the next one (Prepend) or with a syllable before them.
 */
const unsafeSet = [
  String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{DI}\p{Emoji_Modifier}\p{Regional_Indicator}`,
  String.raw`\u1160-\u11ff\ud7b0-\ud7ff\u302e\u302f\u{16ff0}\u{16ff1}`,
  String.raw`\u0d4e\u{111c2}\u{111c3}\u{113d1}\u{1193f}\u{11941}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}`,
  String.raw`\u{16d63}\u{16d67}-\u{16d6a}`,
].join('');

/** Compiles the expressions of Unicode properties, which takes milliseconds. */
function compileExpressions() {
  return {
    unsafe: new RegExp(`[${unsafeSet}]`, 'u'),
    /** Text without a match is safe and skips the slow path. */
    suspicious: new RegExp(`[${unsafeSet}\\p{M}\uff9e\uff9f\u0e33\u0eb3]`, 'u'),
    /** Marks drawn into the cell of the character before, and halfwidth sound marks. */
    mark: /[\p{M}\uff9e\uff9f]/u,
    pictograph: /\p{Extended_Pictographic}/u,
    modifierBase: /\p{Emoji_Modifier_Base}/u,
    modifier: /\p{Emoji_Modifier}/u,
  };
}

let compiled: ReturnType<typeof compileExpressions> | undefined;

/** Returns the expressions, compiled on first use so that plain text causes no delay at start. */
function expressions(): ReturnType<typeof compileExpressions> {
  return (compiled ??= compileExpressions());
}

const regionalIndicator = /[\u{1f1e6}-\u{1f1ff}]/u;
const variationSelector = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;
/** Letters of Hangul. Other text keeps its form: the order of its accents would depend on its length. */
const hangul = /[\u1100-\u11ff\uac00-\ud7a3]+/gu;
/** Indic signs that join the next letter to this one (Indic_Conjunct_Break=Linker, Unicode 17). */
const linker =
  /[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d\u1039\u17d2\u1a60\u1b44\u1bab\ua9c0\uaaf6\u{10a3f}\u{11133}\u{113d0}\u{1193e}\u{11a47}\u{11a99}\u{11f42}]/u;

const joiner = '\u200d';
const nonJoiner = '\u200c';
const keycap = '\u20e3';

/** Letters that decompose into a mark and a letter, so that each takes its own cells. */
const split: Readonly<Record<string, { mark: string; letter: string }>> = {
  '\u0e33': { mark: '\u0e4d', letter: '\u0e32' },
  '\u0eb3': { mark: '\u0ecd', letter: '\u0eb2' },
};

/**
 * Returns text from outside as one line that is safe to show: it changes only its own cells on a
 * terminal. All text on the screen that is not the program's own must pass through here.
 *
 * Code points that would act on the terminal are made visible: C0 controls and DEL in caret notation
 * (`^[`, `^M`, `^?`), others as `<U+202E>`: C1 controls, bidi and invisible format characters, line
 * and paragraph separators, lone surrogates, unassigned code points, accents without a character.
 *
 * Terminals disagree whether a cluster of code points takes the cells of its parts or of one
 * character, so only clusters on which they agree remain. Code points that merely select a glyph are
 * dropped (variation selectors, skin tones, joiners between emoji, keycaps), Hangul is composed, and
 * Indic conjuncts are shown with their explicit sign. The width is then the sum of all code points.
 *
 * Idempotent. Printable ASCII is returned after one test.
 */
export function sanitize(text: string, options: SanitizeOptions = {}): string {
  if (plain.test(text) || !expressions().suspicious.test(text)) return text;
  const { mark, unsafe } = expressions();
  const points = Array.from(composeHangul(text));
  const line = new SafeLine(options);
  for (let index = 0; index < points.length; index++) {
    const point = points[index] ?? '';
    const next = points[index + 1] ?? '';
    const parts = split[point];
    if (point >= ' ' && point <= '~') line.character(point);
    else if (point === '\t') line.tab();
    else if (onlySelectsGlyph(point, line.base, points[index - 1] ?? '', next)) continue;
    else if (regionalIndicator.test(point) && isFlag(point + next)) {
      line.flag(point + next);
      index++;
    } else if (parts !== undefined && line.takesMark) {
      line.mark(parts.mark);
      line.character(parts.letter);
    } else if (parts !== undefined || unsafe.test(point)) line.spell(point);
    else if (!mark.test(point)) line.character(point);
    else if (line.takesMark) line.mark(point);
    else line.spell(point);
  }
  return line.text;
}

/**
 * Returns the lines of a text, each sanitised. Lines end with LF or CRLF; a final line end starts no
 * further line.
 */
export function sanitizeBlock(text: string, options: SanitizeOptions = {}): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines.map((line) => sanitize(line, options));
}

/** Returns the text with syllables in place of the letters that compose them. */
function composeHangul(text: string): string {
  return text.replace(hangul, (letters) => letters.normalize('NFC'));
}

/** Returns whether a code point only selects how the character before it is drawn. */
function onlySelectsGlyph(point: string, base: string, previous: string, next: string): boolean {
  const { modifier, modifierBase, pictograph } = expressions();
  // Only the first of several variation selectors selects a glyph; others may hide a message.
  if (variationSelector.test(point)) return base !== '' && !variationSelector.test(previous);
  if (point === joiner) return pictograph.test(base) && pictograph.test(next);
  if (point === keycap) return /[\d#*]/.test(base);
  if (point === nonJoiner) return base !== '' && linker.test(previous); // `mark` writes its own.
  return modifier.test(point) && modifierBase.test(base);
}

function isFlag(pair: string): boolean {
  return Array.from(pair).every((point) => regionalIndicator.test(point)) && cellWidth(pair) === 2;
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
  if (code === 0x7f) return '^?';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** Builds a safe line, and tracks the character that the next code point may attach to. */
class SafeLine {
  text = '';
  /** The character that a mark would attach to; empty if there is none. */
  base = '';
  #marks = 0;
  #cells: number;
  #measured = 0;
  readonly #tab: number | 'keep' | 'visible';

  constructor({ tab = 8, column = 0 }: SanitizeOptions) {
    this.#tab = tab;
    this.#cells = column;
  }

  get takesMark(): boolean {
    return this.base !== '' && this.#marks < marksPerCharacter;
  }

  character(character: string): void {
    this.#write(character);
    this.base = character;
  }

  mark(sign: string): void {
    this.text += linker.test(sign) ? sign + nonJoiner : sign;
    this.#marks++;
  }

  /** Adds a flag, which takes no marks: terminals disagree about the width of a flag with an accent. */
  flag(pair: string): void {
    this.#write(pair);
  }

  spell(character: string): void {
    this.#write(visible(character));
  }

  tab(): void {
    if (this.#tab === 'keep' || this.#tab === 'visible') {
      this.#write(this.#tab === 'keep' ? '\t' : visible('\t'));
      return;
    }
    this.#cells += cellWidth(this.text.slice(this.#measured));
    this.#measured = this.text.length;
    this.#write(' '.repeat(this.#tab - (this.#cells % this.#tab)));
  }

  #write(text: string): void {
    this.text += text;
    this.base = '';
    this.#marks = 0;
  }
}

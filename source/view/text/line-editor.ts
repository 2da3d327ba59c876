import { Graphemes } from '../../terminal/screen/graphemes.ts';

/** One line of text that is being edited. */
export interface EditedLine {
  readonly text: string;
  /** Where the next character goes: an offset in code units, always between two characters. */
  readonly caret: number;
}

/** Code units that a line holds; what goes beyond is not taken. Keys on longer ones would lag. */
export const longestLine = 4096;

const graphemes = new Graphemes();

/** Characters as people count them: grapheme clusters (UAX 29). */
function charactersOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** The line with both ends joined; what meets at the caret may have become one character. */
function joined(before: string, after: string): EditedLine {
  const text = before + after;
  let caret = 0;
  for (const { segment } of graphemes.segment(text)) {
    if (caret >= before.length) break;
    caret += segment.length;
  }
  return { text, caret };
}

/** The line with what was typed or pasted at its caret: in one line, control characters as spaces. */
export function insertText({ text, caret }: EditedLine, typed: string): EditedLine {
  const inserted = oneLine(typed);
  let room = longestLine - text.length;
  let taken = 0;
  for (const { segment } of graphemes.segment(inserted)) {
    room -= segment.length;
    if (room < 0) break;
    taken += segment.length;
  }
  return joined(text.slice(0, caret) + inserted.slice(0, taken), text.slice(caret));
}

/**
 * Text without what breaks a line or acts on a terminal: a run of that is one space between words,
 * and nothing at the ends, where a copied line has its line break.
 */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, (run, offset: number) =>
    offset === 0 || offset + run.length === text.length ? '' : ' ',
  );
}

type Measure = (characters: readonly string[]) => number;

const isSpace = (character: string): boolean => /^\s/u.test(character);
const isWord = (character: string): boolean => /[\p{L}\p{N}_]/u.test(character);

const oneCharacter: Measure = () => 1;
const everything: Measure = (characters) => characters.length;
/** A run of letters and digits, and what stands before it (readline's forward-word). */
const word: Measure = (characters) => {
  const start = characters.findIndex(isWord);
  if (start < 0) return characters.length;
  const length = characters.slice(start).findIndex((character) => !isWord(character));
  return length < 0 ? characters.length : start + length;
};
/** A run without spaces, and the spaces before it (readline's unix-word-rubout). */
const spacedWord: Measure = (characters) => {
  const start = characters.findIndex((character) => !isSpace(character));
  if (start < 0) return characters.length;
  const length = characters.slice(start).findIndex(isSpace);
  return length < 0 ? characters.length : start + length;
};

/** Code units before the caret that so many characters take, counted away from it. */
function behind({ text, caret }: EditedLine, measure: Measure): number {
  const characters = charactersOf(text.slice(0, caret)).reverse();
  return characters.slice(0, measure(characters)).join('').length;
}

function ahead({ text, caret }: EditedLine, measure: Measure): number {
  const characters = charactersOf(text.slice(caret));
  return characters.slice(0, measure(characters)).join('').length;
}

type Edit = (line: EditedLine) => EditedLine;

const moveBack =
  (measure: Measure): Edit =>
  (line) => ({ ...line, caret: line.caret - behind(line, measure) });
const moveOn =
  (measure: Measure): Edit =>
  (line) => ({ ...line, caret: line.caret + ahead(line, measure) });
const deleteBack =
  (measure: Measure): Edit =>
  (line) =>
    joined(line.text.slice(0, line.caret - behind(line, measure)), line.text.slice(line.caret));
const deleteOn =
  (measure: Measure): Edit =>
  (line) =>
    joined(line.text.slice(0, line.caret), line.text.slice(line.caret + ahead(line, measure)));

/** What keys do to a line, as in readline's emacs mode, by the names of `terminal/keys`. */
const edits: ReadonlyMap<string, Edit> = new Map([
  ['left', moveBack(oneCharacter)],
  ['right', moveOn(oneCharacter)],
  ['home', moveBack(everything)],
  ['ctrl+a', moveBack(everything)],
  ['end', moveOn(everything)],
  ['ctrl+e', moveOn(everything)],
  ['ctrl+left', moveBack(word)],
  ['alt+left', moveBack(word)],
  ['alt+b', moveBack(word)],
  ['ctrl+right', moveOn(word)],
  ['alt+right', moveOn(word)],
  ['alt+f', moveOn(word)],
  ['backspace', deleteBack(oneCharacter)],
  ['delete', deleteOn(oneCharacter)],
  ['ctrl+w', deleteBack(spacedWord)],
  ['ctrl+u', deleteBack(everything)],
  ['ctrl+k', deleteOn(everything)],
]);

/** The line after a key, or what it typed or pasted; undefined for a key that edits nothing. */
export function editLine(
  line: EditedLine,
  key: { readonly name: string; readonly text?: string },
): EditedLine | undefined {
  return key.text === undefined ? edits.get(key.name)?.(line) : insertText(line, key.text);
}

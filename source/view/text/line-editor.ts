import { Graphemes } from '../../terminal/screen/graphemes.ts';

/** A line of text with a caret. */
export interface EditedLine {
  readonly text: string;
  /** Insertion offset in code units, always on a grapheme boundary. */
  readonly caret: number;
}

/** Maximum code units of a line; input beyond it is ignored, because keys on longer lines lag. */
export const longestLine = 4096;

const graphemes = new Graphemes();

/** Splits text into grapheme clusters (UAX 29). */
function charactersOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** Joins the text before and after the caret; the characters at the join may become one cluster. */
function joinAtCaret(before: string, after: string): EditedLine {
  const text = before + after;
  let caret = 0;
  for (const { segment } of graphemes.segment(text)) {
    if (caret >= before.length) break;
    caret += segment.length;
  }
  return { text, caret };
}

/** Inserts typed or pasted text at the caret, with line breaks and control characters as spaces. */
export function insertText({ text, caret }: EditedLine, typed: string): EditedLine {
  const inserted = toSingleLine(typed);
  let room = longestLine - text.length;
  let fittingLength = 0;
  for (const { segment } of graphemes.segment(inserted)) {
    room -= segment.length;
    if (room < 0) break;
    fittingLength += segment.length;
  }
  const before = text.slice(0, caret) + inserted.slice(0, fittingLength);
  return joinAtCaret(before, text.slice(caret));
}

/**
 * Replaces each run of line breaks and control characters with one space, and drops runs at the
 * ends, where a copied line has its line break.
 */
function toSingleLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, (run, offset: number) =>
    offset === 0 || offset + run.length === text.length ? '' : ' ',
  );
}

type Measure = (characters: readonly string[]) => number;

const isSpace = (character: string): boolean => /^\s/u.test(character);
const isWord = (character: string): boolean => /[\p{L}\p{N}_]/u.test(character);

const oneCharacter: Measure = () => 1;
const everything: Measure = (characters) => characters.length;
/** Measures a run of letters and digits and the characters before it (readline's forward-word). */
const word: Measure = (characters) => {
  const start = characters.findIndex(isWord);
  if (start < 0) return characters.length;
  const length = characters.slice(start).findIndex((character) => !isWord(character));
  return length < 0 ? characters.length : start + length;
};
/** Measures a run without spaces and the spaces before it (readline's unix-word-rubout). */
const spacedWord: Measure = (characters) => {
  const start = characters.findIndex((character) => !isSpace(character));
  if (start < 0) return characters.length;
  const length = characters.slice(start).findIndex(isSpace);
  return length < 0 ? characters.length : start + length;
};

/** Returns the code units before the caret that the measured characters take. */
function lengthBefore({ text, caret }: EditedLine, measure: Measure): number {
  const characters = charactersOf(text.slice(0, caret)).reverse();
  return characters.slice(0, measure(characters)).join('').length;
}

/** Returns the code units after the caret that the measured characters take. */
function lengthAfter({ text, caret }: EditedLine, measure: Measure): number {
  const characters = charactersOf(text.slice(caret));
  return characters.slice(0, measure(characters)).join('').length;
}

type Edit = (line: EditedLine) => EditedLine;

const moveBack =
  (measure: Measure): Edit =>
  (line) => ({ ...line, caret: line.caret - lengthBefore(line, measure) });
const moveForward =
  (measure: Measure): Edit =>
  (line) => ({ ...line, caret: line.caret + lengthAfter(line, measure) });
const deleteBack =
  (measure: Measure): Edit =>
  (line) =>
    joinAtCaret(
      line.text.slice(0, line.caret - lengthBefore(line, measure)),
      line.text.slice(line.caret),
    );
const deleteForward =
  (measure: Measure): Edit =>
  (line) =>
    joinAtCaret(
      line.text.slice(0, line.caret),
      line.text.slice(line.caret + lengthAfter(line, measure)),
    );

/** Edits by key name (`terminal/keys`), as in readline's emacs mode. */
const edits: ReadonlyMap<string, Edit> = new Map([
  ['left', moveBack(oneCharacter)],
  ['right', moveForward(oneCharacter)],
  ['home', moveBack(everything)],
  ['ctrl+a', moveBack(everything)],
  ['end', moveForward(everything)],
  ['ctrl+e', moveForward(everything)],
  ['ctrl+left', moveBack(word)],
  ['alt+left', moveBack(word)],
  ['alt+b', moveBack(word)],
  ['ctrl+right', moveForward(word)],
  ['alt+right', moveForward(word)],
  ['alt+f', moveForward(word)],
  ['backspace', deleteBack(oneCharacter)],
  ['delete', deleteForward(oneCharacter)],
  ['ctrl+w', deleteBack(spacedWord)],
  ['ctrl+u', deleteBack(everything)],
  ['ctrl+k', deleteForward(everything)],
]);

/** Returns the line with another text before the caret. */
export function replaceBeforeCaret(line: EditedLine, before: string): EditedLine {
  return joinAtCaret(before, line.text.slice(line.caret));
}

/**
 * Returns true for a key that has the same effect in ink-text-input, which inserts text at its end and
 * removes one code unit there.
 */
export function isPlainEdit(
  line: EditedLine,
  { name, text }: { readonly name: string; readonly text?: string },
): boolean {
  if (name === 'backspace') return lengthBefore(line, oneCharacter) === 1;
  if (name === 'paste' || text === undefined) return false;
  return toSingleLine(text) === text && line.text.length + text.length <= longestLine;
}

/** Applies a key or its text to the line; undefined for a key that edits nothing. */
export function editLine(
  line: EditedLine,
  key: { readonly name: string; readonly text?: string },
): EditedLine | undefined {
  return key.text === undefined ? edits.get(key.name)?.(line) : insertText(line, key.text);
}

/** Splits a typed text into a verb and the name of a deployment: `delshp` is `delete` and `shp`. */

/** A verb of the palette with its synonyms. */
export interface PaletteVerb {
  readonly verb: string;
  readonly synonyms: readonly string[];
}

/** A reading of a text as the beginning of a verb and the rest. */
export interface VerbReading<V extends PaletteVerb> {
  readonly verb: V;
  /** The verb, or the synonym that was typed. */
  readonly word: string;
  /** Letters of the word that were typed. */
  readonly typed: number;
  /** The text without these letters, never empty. */
  readonly rest: string;
}

/** Letters of a verb from which on a name may follow without a space. */
const joinedLetters = 3;
/** Letters of a verb that stands apart from the name. */
const separateLetters = 2;

/**
 * Returns the readings of a text, at most one for each verb and rest. A verb is a word of its own, in
 * any place, or begins the text; of several words of one verb the longest match counts, and the verb
 * itself before its synonyms.
 */
export function verbReadings<V extends PaletteVerb>(
  typed: string,
  verbs: readonly V[],
): readonly VerbReading<V>[] {
  const text = typed.trim().toLowerCase();
  const parts = text.split(/\s+/);
  return verbs.flatMap((verb) => {
    const words = [verb.verb, ...verb.synonyms].map((word) => word.toLowerCase());
    const separate = separateReadings(verb, words, parts);
    const readings = separate.length > 0 ? separate : joinedReadings(verb, words, text);
    return readings
      .filter(({ rest }, index) => readings.findIndex((one) => one.rest === rest) === index)
      .filter(({ rest }) => rest !== '');
  });
}

/** Returns the readings in which a part of the text is the beginning of a verb. */
function separateReadings<V extends PaletteVerb>(
  verb: V,
  words: readonly string[],
  parts: readonly string[],
): readonly VerbReading<V>[] {
  if (parts.length < 2) return [];
  return parts.flatMap((part, index) => {
    const word = words.find((one) => part.length >= separateLetters && one.startsWith(part));
    const rest = parts.filter((_, other) => other !== index).join(' ');
    return word === undefined ? [] : [{ verb, word, typed: part.length, rest }];
  });
}

/** Returns the reading of the longest beginning that the text shares with a verb. */
function joinedReadings<V extends PaletteVerb>(
  verb: V,
  words: readonly string[],
  text: string,
): readonly VerbReading<V>[] {
  return words
    .map((word) => ({ word, typed: commonLength(word, text) }))
    .filter(({ word, typed }) => typed >= Math.min(joinedLetters, word.length))
    .sort((left, right) => right.typed - left.typed)
    .slice(0, 1)
    .map(({ word, typed }) => ({ verb, word, typed, rest: text.slice(typed).trim() }));
}

function commonLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}

/** Finds the invisible characters of a YAML text, which the parser takes for letters. */
import { type Document, visit } from 'yaml';

export interface InvisibleCharacter {
  readonly offset: number;
  /** Its code point and its name: `U+00A0 no-break space`. */
  readonly name: string;
  /** The step that corrects it. */
  readonly advice: string;
  /** True inside of a value's text, where it may be meant. */
  readonly isInText: boolean;
}

/** Spaces other than U+0020, line separators, format characters, and controls but tab and line breaks. */
const invisible = /(?![ \t\n\r])[\p{Zs}\p{Zl}\p{Zp}\p{Cf}\p{Cc}]/u;

const names: Readonly<Record<string, string>> = {
  '0000': 'null',
  '0008': 'backspace',
  '000B': 'vertical tab',
  '000C': 'form feed',
  '001B': 'escape',
  '007F': 'delete',
  '0085': 'next line',
  '00A0': 'no-break space',
  '00AD': 'soft hyphen',
  '1680': 'ogham space',
  '2007': 'figure space',
  '2008': 'punctuation space',
  '2009': 'thin space',
  '200A': 'hair space',
  '200B': 'zero width space',
  '200C': 'zero width non-joiner',
  '200D': 'zero width joiner',
  '200E': 'left-to-right mark',
  '200F': 'right-to-left mark',
  '2028': 'line separator',
  '2029': 'paragraph separator',
  '202A': 'left-to-right embedding',
  '202B': 'right-to-left embedding',
  '202C': 'pop directional formatting',
  '202D': 'left-to-right override',
  '202E': 'right-to-left override',
  '202F': 'narrow no-break space',
  '205F': 'medium mathematical space',
  '2060': 'word joiner',
  '2066': 'left-to-right isolate',
  '2067': 'right-to-left isolate',
  '2068': 'first strong isolate',
  '2069': 'pop directional isolate',
  '3000': 'ideographic space',
  FEFF: 'byte order mark',
};

/** Joiners and tags, which emoji and some scripts need between other characters. */
const joiner = /^(?:\u200C|\u200D|[\u{E0020}-\u{E007F}])$/u;

/** A part of the text, from its first offset to the one after its last. */
type Range = readonly [start: number, end: number];

/**
 * Returns the invisible characters of a text in their order, each once a line, without those in comments
 * and a byte order mark at its beginning.
 * @param comments the places of its comments.
 */
export function findInvisible(
  text: string,
  document: Document.Parsed | undefined,
  comments: readonly Range[],
): readonly InvisibleCharacter[] {
  if (!invisible.test(text.replace(/^\uFEFF/, ''))) return [];
  const texts = document === undefined ? [] : textRanges(document);
  const found: InvisibleCharacter[] = [];
  /** The characters that were found in the current line. */
  const seen = new Set<string>();
  let previous = '';
  let offset = 0;
  for (const character of text) {
    const start = offset;
    const isJoined = joiner.test(character) && (previous.codePointAt(0) ?? 0) > 127;
    offset += character.length;
    previous = character;
    if (character === '\n') seen.clear();
    const isMark = character === '\uFEFF' && start === 0;
    if (isMark || seen.has(character) || !invisible.test(character)) continue;
    if (isWithin(start, comments)) continue;
    const isInText = isWithin(start, texts);
    if (isInText && isJoined) continue;
    seen.add(character);
    found.push({ offset: start, isInText, ...described(character) });
  }
  return found;
}

function described(character: string): Pick<InvisibleCharacter, 'name' | 'advice'> {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const isSpace = /\p{Zs}/u.test(character);
  const kind = isSpace
    ? 'space of another kind'
    : /\p{Cc}/u.test(character)
      ? 'control character'
      : 'invisible character';
  return {
    name: `U+${code} ${names[code] ?? kind}`,
    advice: isSpace ? 'Replace it by a plain space.' : 'Remove it.',
  };
}

/** Returns the texts of values: quoted ones, blocks of lines, and others but their first and last character. */
function textRanges(document: Document.Parsed): readonly Range[] {
  const ranges: Range[] = [];
  visit(document, {
    Scalar(place, { range, type }) {
      if (range === null || range === undefined) return;
      const [start, end] = range;
      if (type !== 'PLAIN') ranges.push([start, end]);
      else if (place !== 'key') ranges.push([start + 1, end - 1]);
    },
  });
  return ranges;
}

/** @param ranges in the order of the text. */
function isWithin(offset: number, ranges: readonly Range[]): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.[0] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low - 1];
  return range !== undefined && offset < range[1];
}

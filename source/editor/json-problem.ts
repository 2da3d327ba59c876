/** Finds what keeps a text from being JSON (RFC 8259). */
import { printParseErrorCode, visit } from 'jsonc-parser';
import { duplicateKeySentence, quotedStart, quotedText, type Fault } from './grammar-problem.ts';

/** An object or array that is read. */
interface Container {
  readonly offset: number;
  /** Lines of an object's names; undefined in an array. */
  readonly names: Map<string, number> | undefined;
}

/** The faults after which only an open bracket is reported. */
const maxFaults = 400;

/**
 * Returns the syntax errors of JSON and the duplicate names, in no particular order. Takes some 20 ms
 * a MiB.
 */
export function findJsonFaults(text: string): readonly Fault[] {
  const faults: Fault[] = [];
  const containers: Container[] = [];
  let ended: Container | undefined;
  /** Kind of the last token or error. */
  let last = '';
  let isUnclosed = false;

  const add = (position: number, sentence: string): void => {
    if (faults.length < maxFaults) faults.push({ position, sentence });
  };
  const begin = (offset: number, names?: Map<string, number>): void => {
    containers.push({ offset, names });
    last = 'begin';
  };
  const end = (): void => {
    // A missing end is reported after this.
    ended = containers.pop();
    last = 'end';
  };

  const explain = (code: string, offset: number, length: number): void => {
    const token = text.slice(offset, offset + length);
    const before = last;
    last = code;
    if (code === 'CloseBraceExpected' || code === 'CloseBracketExpected') {
      // Brackets around an unclosed one lack their end too; report only the inner one.
      if (ended !== undefined && !isUnclosed) {
        const sentence = `${quotedText(text.charAt(ended.offset))} is not closed.`;
        faults.push({ position: ended.offset, sentence });
      }
      isUnclosed = true;
      return;
    }
    if (code === 'ValueExpected' && isExplained(before)) return;
    const isName = containers.at(-1)?.names !== undefined && /^(?:begin|,)$/.test(before);
    add(offset, sentenceOf(code, token, { before, isName, isEmpty: text.trim() === '' }));
  };

  try {
    visit(
      text,
      {
        onObjectBegin: (offset) => begin(offset, new Map()),
        onArrayBegin: (offset) => begin(offset),
        onObjectEnd: end,
        onArrayEnd: end,
        onObjectProperty(name, offset, length, line) {
          last = 'name';
          const names = containers.at(-1)?.names;
          const first = names?.get(name);
          if (first === undefined) names?.set(name, line);
          else add(offset, duplicateKeySentence(text.slice(offset, offset + length), first + 1));
        },
        onLiteralValue() {
          last = 'value';
        },
        onSeparator(separator) {
          last = separator;
        },
        onError: (code, offset, length) => explain(printParseErrorCode(code), offset, length),
      },
      { disallowComments: true },
    );
  } catch (error) {
    // The parser is recursive: what is nested too deeply stays unchecked.
    if (!(error instanceof RangeError)) throw error;
  }
  return faults;
}

/** Returns true after an error that explains why no value follows. */
const isExplained = (last: string): boolean =>
  last === 'InvalidSymbol' || last === 'PropertyNameExpected';

interface Context {
  /** Kind of the token or error before. */
  readonly before: string;
  /** Whether an object's name is expected. */
  readonly isName: boolean;
  readonly isEmpty: boolean;
}

function sentenceOf(code: string, token: string, { before, isName, isEmpty }: Context): string {
  if (isEmpty) return 'The file is empty. JSON needs a value.';
  if (code === 'InvalidCommentToken' || token.startsWith('#')) {
    return 'JSON does not allow comments.';
  }
  if (token.startsWith("'")) return 'JSON strings need double quotes.';
  if (/^[\]}]$/.test(token) && code !== 'ColonExpected') {
    if (before === ',') return `Remove the "," before ${quotedText(token)}.`;
    if (before !== ':') return `Unmatched ${quotedText(token)}.`;
  }
  if (isName && !/^[,:]$/.test(token)) return 'Property names need double quotes.';
  return sentences[code] ?? `Unexpected ${quotedStart(token)}.`;
}

const sentences: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'A property name is missing here.',
  ValueExpected: 'A value is missing here.',
  ColonExpected: 'A ":" is missing here.',
  CommaExpected: 'A "," is missing here.',
  EndOfFileExpected: 'JSON allows only one top-level value.',
  UnexpectedEndOfString: `'"' is not closed.`,
  UnexpectedEndOfNumber: 'This number is incomplete.',
  InvalidUnicode: 'A "\\u" needs four hexadecimal digits.',
  InvalidEscapeCharacter: 'This string has an invalid escape.',
  InvalidCharacter: 'This string has a character that needs an escape.',
};

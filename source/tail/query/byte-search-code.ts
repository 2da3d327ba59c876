import {
  and,
  bitsOf,
  byteAt,
  type Code,
  equalBytes,
  get,
  isBelow,
  isEqual,
  isOther,
  isZero,
  lowestBit,
  minus,
  number,
  numberAt,
  or,
  plus,
  putByte,
  putNumber,
  putVector,
  set,
  vectorAnd,
  vectorAt,
  vectorOf,
  vectorOr,
  type WasmFunction,
  wasmModule,
  whilst,
  when,
} from './wasm-code.ts';

/** Addresses of the letters to find, and of the bits that are ignored in each. */
export const lettersAt = 0;
export const casesAt = 256;
/** Addresses of the matches, four bytes each, and of the bytes to search. */
export const placesAt = 512;
export const bytesAt = 32_768;
/** Matches that may be written beyond the requested maximum. */
export const placesBeyond = 64;
/** Bytes that may be read after the searched bytes and after the letters. */
export const readBeyond = 64;

const one = number(1);
const vector = number(16);
const increase = (local: number, by: Code): Code => set(local, plus(get(local), by));

/**
 * Builds `find`, which writes the positions of the letters that start between `at` and `end`, and
 * returns their number; it stops after the maximum. It compares sixteen positions at once, each by
 * the two letters chosen as `first` and `second`, and skips four such blocks at once when none
 * matches.
 */
function findFunction(): WasmFunction {
  const [at, end, length, first, second, most] = [0, 1, 2, 3, 4, 5];
  const [found, place, letter, count, stop] = [6, 7, 8, 9, 10];
  const [firstLetter, firstCase, secondLetter, secondCase] = [11, 12, 13, 14];
  const letterOf = (index: Code): Code => byteAt(plus(number(lettersAt), index));
  const caseOf = (index: Code): Code => byteAt(plus(number(casesAt), index));
  const matchesAt = (index: number, ahead: number, cases: number, wanted: number): Code =>
    equalBytes(vectorOr(vectorAt(plus(get(at), get(index)), ahead), get(cases)), get(wanted));
  const matchBoth = (ahead: number): Code =>
    vectorAnd(
      matchesAt(first, ahead, firstCase, firstLetter),
      matchesAt(second, ahead, secondCase, secondLetter),
    );
  const isLetterMatch = isEqual(
    letterOf(get(letter)),
    or(byteAt(plus(get(place), get(letter))), caseOf(get(letter))),
  );
  return {
    name: 'find',
    parameters: 6,
    numbers: 5,
    vectors: 4,
    body: [
      set(firstLetter, vectorOf(letterOf(get(first)))),
      set(firstCase, vectorOf(caseOf(get(first)))),
      set(secondLetter, vectorOf(letterOf(get(second)))),
      set(secondCase, vectorOf(caseOf(get(second)))),
      whilst(and(isBelow(get(at), get(end)), isBelow(get(count), get(most))), [
        set(stop, plus(get(at), number(64))),
        when(
          bitsOf(
            vectorOr(vectorOr(matchBoth(0), matchBoth(16)), vectorOr(matchBoth(32), matchBoth(48))),
          ),
          [
            whilst(isBelow(get(at), get(stop)), [
              set(found, bitsOf(matchBoth(0))),
              whilst(get(found), [
                set(place, plus(get(at), lowestBit(get(found)))),
                set(letter, number(0)),
                whilst(and(isBelow(get(letter), get(length)), isLetterMatch), [
                  increase(letter, one),
                ]),
                when(isEqual(get(letter), get(length)), [
                  putNumber(
                    plus(
                      number(placesAt),
                      plus(plus(get(count), get(count)), plus(get(count), get(count))),
                    ),
                    get(place),
                  ),
                  increase(count, one),
                ]),
                set(found, and(get(found), minus(get(found), one))),
              ]),
              increase(at, vector),
            ]),
          ],
        ),
        set(at, get(stop)),
      ]),
      get(count),
    ],
  };
}

/** The bytes of `u001` as a number. */
const escapeStart = 0x31_30_30_75;

/** Builds `bleach`, which removes colour codes from JSON in place and returns its new end. */
function bleachFunction(): WasmFunction {
  const [from, end, to, letter, code, bytes] = [0, 1, 2, 3, 4, 5];
  const ascii = (character: string): Code => number(character.charCodeAt(0));
  const ahead = (offset: number): Code => plus(get(from), number(offset));
  const isIntroducer = and(
    isEqual(numberAt(ahead(1)), number(escapeStart)),
    and(
      isEqual(or(byteAt(ahead(5)), number(0x20)), ascii('b')),
      isEqual(byteAt(ahead(6)), ascii('[')),
    ),
  );
  // Digits, `:` and `;` are consecutive in ASCII.
  const isParameter = isBelow(minus(byteAt(get(code)), ascii('0')), number(12));
  const isCode = and(isBelow(get(code), get(end)), isEqual(byteAt(get(code)), ascii('m')));
  const copyByte: readonly Code[] = [
    putByte(get(to), byteAt(get(from))),
    increase(from, one),
    increase(to, one),
  ];
  const isPlain = isZero(bitsOf(equalBytes(get(bytes), vectorOf(ascii('\\')))));
  return {
    name: 'bleach',
    parameters: 2,
    numbers: 3,
    vectors: 1,
    body: [
      set(to, get(from)),
      whilst(isBelow(get(from), get(end)), [
        set(bytes, vectorAt(get(from))),
        when(
          and(isBelow(ahead(15), get(end)), isPlain),
          [putVector(get(to), get(bytes)), increase(from, vector), increase(to, vector)],
          [
            set(letter, byteAt(get(from))),
            set(code, number(0)),
            when(and(isEqual(get(letter), ascii('\\')), isIntroducer), [
              set(code, ahead(7)),
              whilst(and(isBelow(get(code), get(end)), isParameter), [increase(code, one)]),
              when(isZero(isCode), [set(code, number(0))]),
            ]),
            when(
              isOther(get(code), number(0)),
              [set(from, plus(get(code), one))],
              // An escaped character starts no escape itself.
              [...copyByte, when(isEqual(get(letter), ascii('\\')), copyByte)],
            ),
          ],
        ),
      ]),
      get(to),
    ],
  };
}

/** Returns the WebAssembly module of both functions. */
export function byteSearchModule(): Uint8Array<ArrayBuffer> {
  return wasmModule([findFunction(), bleachFunction()]);
}

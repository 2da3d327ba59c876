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

/** Where in memory the letters are that are looked for, and the bits that do not count in each. */
export const lettersAt = 0;
export const casesAt = 256;
/** Where the places are put, four bytes each, and where there is room for what is gone through. */
export const placesAt = 512;
export const bytesAt = 32_768;
/** Places that may be put there beyond the most that were asked for. */
export const placesBeyond = 64;
/** Bytes that may be read behind those that are gone through, and behind the letters there. */
export const readBeyond = 64;

const one = number(1);
const vector = number(16);
const increased = (local: number, by: Code): Code => set(local, plus(get(local), by));

/**
 * Puts down where the letters stand from `at` up to `end`, which is no bound to where they end, and
 * gives how often; it stops behind the most. Sixteen places are looked at together, each for two
 * of the letters: those that are the first and the second to look at. Four times that are passed
 * over at once where there is nothing.
 */
function find(): WasmFunction {
  const [at, end, length, first, second, most] = [0, 1, 2, 3, 4, 5];
  const [found, place, letter, count, stop] = [6, 7, 8, 9, 10];
  const [firstLetter, firstCase, secondLetter, secondCase] = [11, 12, 13, 14];
  const letterOf = (index: Code): Code => byteAt(plus(number(lettersAt), index));
  const caseOf = (index: Code): Code => byteAt(plus(number(casesAt), index));
  const isThere = (index: number, ahead: number, cases: number, wanted: number): Code =>
    equalBytes(vectorOr(vectorAt(plus(get(at), get(index)), ahead), get(cases)), get(wanted));
  const areBothThere = (ahead: number): Code =>
    vectorAnd(
      isThere(first, ahead, firstCase, firstLetter),
      isThere(second, ahead, secondCase, secondLetter),
    );
  const isLetterThere = isEqual(
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
            vectorOr(
              vectorOr(areBothThere(0), areBothThere(16)),
              vectorOr(areBothThere(32), areBothThere(48)),
            ),
          ),
          [
            whilst(isBelow(get(at), get(stop)), [
              set(found, bitsOf(areBothThere(0))),
              whilst(get(found), [
                set(place, plus(get(at), lowestBit(get(found)))),
                set(letter, number(0)),
                whilst(and(isBelow(get(letter), get(length)), isLetterThere), [
                  increased(letter, one),
                ]),
                when(isEqual(get(letter), get(length)), [
                  putNumber(
                    plus(
                      number(placesAt),
                      plus(plus(get(count), get(count)), plus(get(count), get(count))),
                    ),
                    get(place),
                  ),
                  increased(count, one),
                ]),
                set(found, and(get(found), minus(get(found), one))),
              ]),
              increased(at, vector),
            ]),
          ],
        ),
        set(at, get(stop)),
      ]),
      get(count),
    ],
  };
}

/** `u001` as the number that its bytes are. */
const escapeStart = 0x31_30_30_75;

/** Takes the colour codes out of JSON from `from` up to `end`, and gives where it ends now. */
function bleach(): WasmFunction {
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
  // Digits, `:` and `;` follow each other.
  const isParameter = isBelow(minus(byteAt(get(code)), ascii('0')), number(12));
  const isCode = and(isBelow(get(code), get(end)), isEqual(byteAt(get(code)), ascii('m')));
  const copyByte: readonly Code[] = [
    putByte(get(to), byteAt(get(from))),
    increased(from, one),
    increased(to, one),
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
          [putVector(get(to), get(bytes)), increased(from, vector), increased(to, vector)],
          [
            set(letter, byteAt(get(from))),
            set(code, number(0)),
            when(and(isEqual(get(letter), ascii('\\')), isIntroducer), [
              set(code, ahead(7)),
              whilst(and(isBelow(get(code), get(end)), isParameter), [increased(code, one)]),
              when(isZero(isCode), [set(code, number(0))]),
            ]),
            when(
              isOther(get(code), number(0)),
              [set(from, plus(get(code), one))],
              // What an escape escapes begins none.
              [...copyByte, when(isEqual(get(letter), ascii('\\')), copyByte)],
            ),
          ],
        ),
      ]),
      get(to),
    ],
  };
}

/** The module of both. */
export function byteSearchModule(): Uint8Array<ArrayBuffer> {
  return wasmModule([find(), bleach()]);
}

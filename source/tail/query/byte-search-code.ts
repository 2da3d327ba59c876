import {
  and,
  laneBits,
  loadByte,
  type WasmCode,
  compareLanes,
  getLocal,
  isBelow,
  isEqual,
  isNotEqual,
  isZero,
  countTrailingZeros,
  subtract,
  constant,
  loadNumber,
  or,
  add,
  storeByte,
  storeNumber,
  storeVector,
  setLocal,
  vectorAnd,
  loadVector,
  splat,
  vectorOr,
  type WasmFunction,
  wasmModule,
  loop,
  branch,
} from './wasm-code.ts';

/** Addresses of the letters to find, and of the bits that are ignored in each. */
export const lettersAddress = 0;
export const caseBitsAddress = 256;
/** Addresses of the matches, four bytes each, and of the bytes to search. */
export const matchesAddress = 512;
export const bytesAddress = 32_768;
/** Matches that may be written beyond the requested maximum. */
export const matchesSlack = 64;
/** Bytes that may be read after the searched bytes and after the letters. */
export const readSlack = 64;

const one = constant(1);
const vector = constant(16);
const increase = (local: number, by: WasmCode): WasmCode =>
  setLocal(local, add(getLocal(local), by));

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
  const letterOf = (index: WasmCode): WasmCode => loadByte(add(constant(lettersAddress), index));
  const caseOf = (index: WasmCode): WasmCode => loadByte(add(constant(caseBitsAddress), index));
  const matchesAt = (index: number, ahead: number, cases: number, wanted: number): WasmCode =>
    compareLanes(
      vectorOr(loadVector(add(getLocal(at), getLocal(index)), ahead), getLocal(cases)),
      getLocal(wanted),
    );
  const matchBoth = (ahead: number): WasmCode =>
    vectorAnd(
      matchesAt(first, ahead, firstCase, firstLetter),
      matchesAt(second, ahead, secondCase, secondLetter),
    );
  const isLetterMatch = isEqual(
    letterOf(getLocal(letter)),
    or(loadByte(add(getLocal(place), getLocal(letter))), caseOf(getLocal(letter))),
  );
  return {
    name: 'find',
    parameters: 6,
    numbers: 5,
    vectors: 4,
    body: [
      setLocal(firstLetter, splat(letterOf(getLocal(first)))),
      setLocal(firstCase, splat(caseOf(getLocal(first)))),
      setLocal(secondLetter, splat(letterOf(getLocal(second)))),
      setLocal(secondCase, splat(caseOf(getLocal(second)))),
      loop(and(isBelow(getLocal(at), getLocal(end)), isBelow(getLocal(count), getLocal(most))), [
        setLocal(stop, add(getLocal(at), constant(64))),
        branch(
          laneBits(
            vectorOr(vectorOr(matchBoth(0), matchBoth(16)), vectorOr(matchBoth(32), matchBoth(48))),
          ),
          [
            loop(isBelow(getLocal(at), getLocal(stop)), [
              setLocal(found, laneBits(matchBoth(0))),
              loop(getLocal(found), [
                setLocal(place, add(getLocal(at), countTrailingZeros(getLocal(found)))),
                setLocal(letter, constant(0)),
                loop(and(isBelow(getLocal(letter), getLocal(length)), isLetterMatch), [
                  increase(letter, one),
                ]),
                branch(isEqual(getLocal(letter), getLocal(length)), [
                  storeNumber(
                    add(
                      constant(matchesAddress),
                      add(
                        add(getLocal(count), getLocal(count)),
                        add(getLocal(count), getLocal(count)),
                      ),
                    ),
                    getLocal(place),
                  ),
                  increase(count, one),
                ]),
                setLocal(found, and(getLocal(found), subtract(getLocal(found), one))),
              ]),
              increase(at, vector),
            ]),
          ],
        ),
        setLocal(at, getLocal(stop)),
      ]),
      getLocal(count),
    ],
  };
}

/** The bytes of `u001` as a number. */
const escapeStart = 0x31_30_30_75;

/** Builds `bleach`, which removes colour codes from JSON in place and returns its new end. */
function bleachFunction(): WasmFunction {
  const [from, end, to, letter, code, bytes] = [0, 1, 2, 3, 4, 5];
  const ascii = (character: string): WasmCode => constant(character.charCodeAt(0));
  const ahead = (offset: number): WasmCode => add(getLocal(from), constant(offset));
  const isIntroducer = and(
    isEqual(loadNumber(ahead(1)), constant(escapeStart)),
    and(
      isEqual(or(loadByte(ahead(5)), constant(0x20)), ascii('b')),
      isEqual(loadByte(ahead(6)), ascii('[')),
    ),
  );
  // Digits, `:` and `;` are consecutive in ASCII.
  const isParameter = isBelow(subtract(loadByte(getLocal(code)), ascii('0')), constant(12));
  const isCode = and(
    isBelow(getLocal(code), getLocal(end)),
    isEqual(loadByte(getLocal(code)), ascii('m')),
  );
  const copyByte: readonly WasmCode[] = [
    storeByte(getLocal(to), loadByte(getLocal(from))),
    increase(from, one),
    increase(to, one),
  ];
  const isPlain = isZero(laneBits(compareLanes(getLocal(bytes), splat(ascii('\\')))));
  return {
    name: 'bleach',
    parameters: 2,
    numbers: 3,
    vectors: 1,
    body: [
      setLocal(to, getLocal(from)),
      loop(isBelow(getLocal(from), getLocal(end)), [
        setLocal(bytes, loadVector(getLocal(from))),
        branch(
          and(isBelow(ahead(15), getLocal(end)), isPlain),
          [
            storeVector(getLocal(to), getLocal(bytes)),
            increase(from, vector),
            increase(to, vector),
          ],
          [
            setLocal(letter, loadByte(getLocal(from))),
            setLocal(code, constant(0)),
            branch(and(isEqual(getLocal(letter), ascii('\\')), isIntroducer), [
              setLocal(code, ahead(7)),
              loop(and(isBelow(getLocal(code), getLocal(end)), isParameter), [increase(code, one)]),
              branch(isZero(isCode), [setLocal(code, constant(0))]),
            ]),
            branch(
              isNotEqual(getLocal(code), constant(0)),
              [setLocal(from, add(getLocal(code), one))],
              // An escaped character starts no escape itself.
              [...copyByte, branch(isEqual(getLocal(letter), ascii('\\')), copyByte)],
            ),
          ],
        ),
      ]),
      getLocal(to),
    ],
  };
}

/** Returns the WebAssembly module of both functions. */
export function buildByteSearchModule(): Uint8Array<ArrayBuffer> {
  return wasmModule([findFunction(), bleachFunction()]);
}

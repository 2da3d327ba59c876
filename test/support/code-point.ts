import * as fc from 'fast-check';

/** Number of surrogates, which are no characters of their own. */
const surrogates = 0x800;

/**
 * Generates any character of Unicode, as `unit: 'binary'` does. That one first makes a table of all of them, which
 * takes a second of processor time and stays in memory.
 */
export const codePoint = fc.nat({ max: 0x10_ff_ff - surrogates }).map(
  (nth) => String.fromCodePoint(nth < 0xd8_00 ? nth : nth + surrogates),
  (text) => {
    const code = typeof text === 'string' ? (text.codePointAt(0) ?? 0) : 0;
    const isSurrogate = code >= 0xd8_00 && code < 0xe0_00;
    if (isSurrogate || text !== String.fromCodePoint(code)) throw new Error('not one character');
    return code < 0xd8_00 ? code : code - surrogates;
  },
);

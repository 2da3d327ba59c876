/**
 * A minimal WebAssembly assembler with structured expressions and statements. Numbers and addresses
 * have 32 bits; a vector has 16 bytes.
 */
export type WasmCode = readonly number[];

/**
 * A function from numbers to a number. Its locals follow its parameters, numbers before vectors.
 */
export interface WasmFunction {
  readonly name: string;
  readonly parameters: number;
  readonly numbers: number;
  readonly vectors: number;
  readonly body: readonly WasmCode[];
}

/** The size of a memory page in bytes. */
export const wasmPageSize = 65_536;

export const getLocal = (local: number): WasmCode => [0x20, local];
export const setLocal = (local: number, value: WasmCode): WasmCode => [...value, 0x21, local];
export const constant = (value: number): WasmCode => [0x41, ...signed(value)];

const binary =
  (...code: WasmCode) =>
  (left: WasmCode, right: WasmCode): WasmCode => [...left, ...right, ...code];
export const isEqual = binary(0x46);
export const isNotEqual = binary(0x47);
/** Unsigned comparison. */
export const isBelow = binary(0x49);
export const add = binary(0x6a);
export const subtract = binary(0x6b);
/** Both operands are always evaluated. */
export const and = binary(0x71);
export const or = binary(0x72);

const unary =
  (...code: WasmCode) =>
  (value: WasmCode): WasmCode => [...value, ...code];
export const isZero = unary(0x45);
/** The index of the lowest set bit. */
export const countTrailingZeros = unary(0x68);

/** Memory access; addresses may be unaligned. */
export const loadByte = unary(0x2d, 0, 0);
export const loadNumber = unary(0x28, 0, 0);
/** @param ahead offset of the vector from the address, less than 128 bytes. */
export const loadVector = (address: WasmCode, ahead = 0): WasmCode => [
  ...address,
  0xfd,
  0x00,
  0,
  ahead,
];
export const storeByte = binary(0x3a, 0, 0);
export const storeNumber = binary(0x36, 0, 0);
export const storeVector = binary(0xfd, 0x0b, 0, 0);

/** Repeats a byte in all sixteen lanes. */
export const splat = unary(0xfd, 0x0f);
/** Sets all bits of each lane in which both vectors are equal. */
export const compareLanes = binary(0xfd, 0x23);
export const vectorAnd = binary(0xfd, 0x4e);
export const vectorOr = binary(0xfd, 0x50);
/** Collects the highest bit of each lane. */
export const laneBits = unary(0xfd, 0x64);

const blockType = 0x40;
const end = 0x0b;

export const branch = (
  condition: WasmCode,
  then: readonly WasmCode[],
  otherwise: readonly WasmCode[] = [],
): WasmCode => {
  const other = otherwise.length === 0 ? [] : [0x05, ...otherwise.flat()];
  return [...condition, 0x04, blockType, ...then.flat(), ...other, end];
};
export const loop = (condition: WasmCode, steps: readonly WasmCode[]): WasmCode => {
  const exitLoop = [...isZero(condition), 0x0d, 1];
  return [0x02, blockType, 0x03, blockType, ...exitLoop, ...steps.flat(), 0x0c, 0, end, end];
};

/** The magic number `\0asm` and the version. */
const moduleHeader: WasmCode = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** Assembles a module that exports the functions and a `memory` of initially one page. */
export function wasmModule(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const i32 = 0x7f;
  const v128 = 0x7b;
  const types = functions.map(({ parameters }) => [
    0x60,
    ...list(Array.from({ length: parameters }, () => [i32])),
    ...list([[i32]]),
  ]);
  const bodies = functions.map(({ numbers, vectors, body }) => {
    const locals = list([
      [numbers, i32],
      [vectors, v128],
    ]);
    const code = [...locals, ...body.flat(), end];
    return [...unsigned(code.length), ...code];
  });
  const exports = functions.map(({ name }, index) => [...text(name), 0x00, index]);
  return Uint8Array.from([
    ...moduleHeader,
    ...section(1, types),
    ...section(
      3,
      [...functions.keys()].map((index) => [index]),
    ),
    ...section(5, [[0x00, 1]]),
    ...section(7, [...exports, [...text('memory'), 0x02, 0]]),
    ...section(10, bodies),
  ]);
}

function section(id: number, items: readonly WasmCode[]): WasmCode {
  const content = list(items);
  return [id, ...unsigned(content.length), ...content];
}

function list(items: readonly WasmCode[]): WasmCode {
  return [...unsigned(items.length), ...items.flat()];
}

function text(ascii: string): WasmCode {
  return list(Array.from(ascii, (letter) => [letter.charCodeAt(0)]));
}

/** Encodes an unsigned number as LEB128, seven bits per byte. */
function unsigned(value: number): WasmCode {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): WasmCode {
  const isLast = value >= -0x40 && value < 0x40;
  return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}

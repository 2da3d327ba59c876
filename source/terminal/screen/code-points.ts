/** A set of code points, given as ranges in hexadecimal: `41-5a 5f`. */
export class CodePoints {
  readonly #text: string;
  /** Starts at even places, ends at odd ones; made when it is first asked. */
  #bounds: Uint32Array | undefined;

  constructor(ranges: string) {
    this.#text = ranges;
  }

  has(codePoint: number): boolean {
    this.#bounds ??= readRanges(this.#text);
    const bounds = this.#bounds;
    let low = 0;
    let high = bounds.length / 2 - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (codePoint < (bounds[2 * middle] ?? 0)) high = middle - 1;
      else if (codePoint > (bounds[2 * middle + 1] ?? 0)) low = middle + 1;
      else return true;
    }
    return false;
  }
}

function readRanges(text: string): Uint32Array {
  const ranges = text.trim().split(/\s+/);
  return Uint32Array.from(
    ranges.flatMap((range) => {
      const [first = '', last = first] = range.split('-');
      return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
    }),
  );
}

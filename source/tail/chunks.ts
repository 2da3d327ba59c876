/**
 * A long list in chunks: appending and dropping the oldest chunk take constant time, and inserting
 * in the middle moves one chunk only, where an array would move millions of entries.
 */
export class Chunks<T> {
  readonly #chunkSize: number;
  #chunks: T[][] = [];
  /** Index of each chunk's first entry, all counted from the same, arbitrary number. */
  #starts: number[] = [];
  #length = 0;

  constructor(chunkSize: number) {
    this.#chunkSize = chunkSize;
  }

  get length(): number {
    return this.#length;
  }

  at(index: number): T | undefined {
    if (index < 0 || index >= this.#length) return undefined;
    const chunk = this.#chunkOf(index);
    return this.#chunks[chunk]?.[index - this.#start(chunk)];
  }

  /** The entries from `from` up to, not with, `to`. */
  slice(from: number, to: number): T[] {
    const found: T[] = [];
    let index = Math.max(0, from);
    const end = Math.min(to, this.#length);
    for (let chunk = this.#chunkOf(index); index < end; chunk += 1) {
      const start = this.#start(chunk);
      const part = this.#chunks[chunk]?.slice(index - start, end - start) ?? [];
      for (const entry of part) found.push(entry);
      index += part.length;
    }
    return found;
  }

  insert(index: number, entries: readonly T[]): void {
    if (index >= this.#length) {
      this.#append(entries);
      return;
    }
    const chunk = this.#chunkOf(index);
    const offset = index - this.#start(chunk);
    const old = this.#chunks[chunk] ?? [];
    this.#replace(chunk, [...old.slice(0, offset), ...entries, ...old.slice(offset)]);
    this.#length += entries.length;
    this.#count(chunk);
  }

  remove(index: number, count: number): void {
    let left = Math.min(count, this.#length - index);
    this.#length -= Math.max(0, left);
    const first = this.#chunkOf(index);
    let offset = index - this.#start(first);
    let chunk = first;
    while (left > 0) {
      const part = this.#chunks[chunk];
      if (part === undefined) break;
      left -= part.splice(offset, left).length;
      offset = 0;
      if (part.length === 0) this.#chunks.splice(chunk, 1);
      else chunk += 1;
    }
    this.#count(first);
  }

  /** Puts another entry in the place of one. */
  set(index: number, entry: T): void {
    const chunk = this.#chunkOf(index);
    this.#chunks[chunk]?.splice(index - this.#start(chunk), 1, entry);
  }

  /** Number of entries that {@link dropFirst} would drop. */
  get firstLength(): number {
    return this.#chunks[0]?.length ?? 0;
  }

  /** Drops the oldest chunk and gives its entries. */
  dropFirst(): readonly T[] {
    const dropped = this.#chunks.shift() ?? [];
    this.#starts.shift();
    this.#length -= dropped.length;
    return dropped;
  }

  /** Index of the first entry that is not `before`, in a list in which those come first. */
  search(before: (entry: T) => boolean): number {
    const chunk = Math.max(
      0,
      bisect(this.#chunks.length, (index) => isBefore(this.#chunks[index]?.[0], before)) - 1,
    );
    const part = this.#chunks[chunk] ?? [];
    return this.#start(chunk) + bisect(part.length, (index) => isBefore(part[index], before));
  }

  #append(entries: readonly T[]): void {
    for (const entry of entries) {
      let last = this.#chunks.at(-1);
      if (last === undefined || last.length >= this.#chunkSize) {
        last = [];
        this.#chunks.push(last);
        this.#starts.push((this.#starts[0] ?? 0) + this.#length);
      }
      last.push(entry);
      this.#length += 1;
    }
  }

  #replace(chunk: number, entries: T[]): void {
    // Equal parts, so that no sliver is left that the next insertion would split again.
    const size = Math.ceil(entries.length / Math.ceil(entries.length / this.#chunkSize));
    const parts: T[][] = [];
    for (let from = 0; from < entries.length; from += size) {
      parts.push(entries.slice(from, from + size));
    }
    this.#chunks.splice(chunk, 1, ...parts);
  }

  /** Index of the first entry of a chunk. */
  #start(chunk: number): number {
    return (this.#starts[chunk] ?? 0) - (this.#starts[0] ?? 0);
  }

  #chunkOf(index: number): number {
    return Math.max(0, bisect(this.#starts.length, (chunk) => this.#start(chunk) <= index) - 1);
  }

  /** Counts the starts anew from a chunk on. */
  #count(chunk: number): void {
    const from = chunk === 0 ? 0 : chunk - 1;
    let start = this.#starts[from] ?? 0;
    this.#starts.length = this.#chunks.length;
    for (let index = from; index < this.#chunks.length; index += 1) {
      this.#starts[index] = start;
      start += this.#chunks[index]?.length ?? 0;
    }
  }
}

function isBefore<T>(entry: T | undefined, before: (entry: T) => boolean): boolean {
  return entry !== undefined && before(entry);
}

/** Number of leading indexes below `length` for which `holds` is true. */
function bisect(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

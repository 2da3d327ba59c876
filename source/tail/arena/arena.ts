import { bisect } from './bisect.ts';
import { Block, type Stored } from './block.ts';
import { besideLine, blockMemory, BlockStock } from './block-memory.ts';
import type { Place } from './place.ts';
import type { Run } from './run.ts';

export interface ArenaLimits {
  /** Of one block; a longer line gets a block for itself. */
  readonly blockBytes: number;
  readonly blockLines: number;
  /** Of all blocks, about. */
  readonly maxBytes: number;
}

/** Where a line stands. */
export interface Spot {
  readonly block: Block;
  readonly index: number;
}

/**
 * Very many lines, in order, as the bytes they came as. They stand in blocks of a fixed size, of
 * which the oldest is emptied for the newest lines: what is in memory neither grows nor is collected.
 */
export class Arena {
  readonly #limits: ArenaLimits;
  #blocks: Block[] = [];
  /** Index of each block's first line, all counted from the same, arbitrary number. */
  #starts: number[] = [];
  /** Emptied blocks of the stock, for the next lines. */
  readonly #free: Block[] = [];
  readonly #stock: BlockStock;
  #length = 0;
  #bytes = 0;

  constructor(limits: ArenaLimits) {
    this.#limits = limits;
    const { blockBytes, blockLines, maxBytes } = limits;
    this.#stock = new BlockStock(blockBytes, blockLines, maxBytes + this.blockSize);
  }

  get length(): number {
    return this.#length;
  }

  /** Bytes of memory that the lines take. Some more blocks may be held ready. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes by which {@link bytes} grows at a time. */
  get blockSize(): number {
    const { blockBytes, blockLines } = this.#limits;
    return blockBytes + blockLines * besideLine;
  }

  /** Lines that {@link dropFirst} would drop. */
  get firstLength(): number {
    return this.#blocks[0]?.count ?? 0;
  }

  at(index: number): Spot | undefined {
    if (index < 0 || index >= this.#length) return undefined;
    const number = this.#blockOf(index);
    const block = this.#blocks[number];
    return block && { block, index: index - this.#start(number) };
  }

  place(index: number): Place | undefined {
    const spot = this.at(index);
    return spot?.block.place(spot.index);
  }

  seq(index: number): number | undefined {
    const spot = this.at(index);
    return spot?.block.seq(spot.index);
  }

  /** Calls for each block that holds lines from `from` up to `to`, with the part of it. */
  each(from: number, to: number, see: (block: Block, from: number, to: number) => void): void {
    const last = Math.min(to, this.#length);
    let index = Math.max(0, from);
    for (let number = this.#blockOf(index); index < last; number += 1) {
      const block = this.#blocks[number];
      if (block === undefined) return;
      const start = this.#start(number);
      const end = Math.min(block.count, last - start);
      see(block, index - start, end);
      index = start + end;
    }
  }

  /** Index of the first line that is not `before`, in a list in which those come first. */
  search(before: (block: Block, index: number) => boolean): number {
    const isBefore = (number: number): boolean => {
      const block = this.#blocks[number];
      return block !== undefined && before(block, 0);
    };
    const number = Math.max(0, bisect(this.#blocks.length, isBefore) - 1);
    const block = this.#blocks[number];
    if (block === undefined) return 0;
    return this.#start(number) + bisect(block.count, (index) => before(block, index));
  }

  /** Puts a run behind all lines. @param seq of the first, the others count on from it. */
  append(run: Run, seq: number): void {
    let done = 0;
    while (done < run.count) {
      const added = this.#last()?.addRun(run, done, seq + done) ?? 0;
      if (added === 0) this.#open((run.ends[done] ?? 0) - (run.starts[done] ?? 0));
      done += added;
      this.#length += added;
    }
  }

  insert(index: number, lines: readonly Stored[]): void {
    if (index >= this.#length) {
      for (const line of lines) this.#add(line);
      return;
    }
    const number = this.#blockOf(index);
    const at = index - this.#start(number);
    if (at > 0) this.#rebuild(number, 1, (old) => old.toSpliced(at, 0, ...lines));
    else this.#insertBefore(number, lines);
  }

  /** Puts lines between two blocks: into the first, and what it has no room for by itself. */
  #insertBefore(number: number, lines: readonly Stored[]): void {
    const before = this.#blocks[number - 1];
    let done = 0;
    for (const line of lines) {
      if (before?.add(line) !== true) break;
      done += 1;
    }
    this.#blocks.splice(number, 0, ...this.#packed(lines.slice(done)));
    this.#length += lines.length;
    this.#count();
  }

  remove(index: number, count: number): void {
    const end = Math.min(index + count, this.#length);
    if (end <= index) return;
    const first = this.#blockOf(index);
    const start = this.#start(first);
    const blocks = this.#blockOf(end - 1) - first + 1;
    this.#rebuild(first, blocks, (old) => old.toSpliced(index - start, end - index));
  }

  dropFirst(): void {
    const block = this.#blocks.shift();
    this.#starts.shift();
    if (block === undefined) return;
    this.#length -= block.count;
    this.#release(block);
  }

  /** Puts other lines in the place of those of some blocks. */
  #rebuild(
    number: number,
    count: number,
    change: (lines: readonly Stored[]) => readonly Stored[],
  ): void {
    const old = this.#blocks.slice(number, number + count);
    const before = old.flatMap((block) =>
      Array.from({ length: block.count }, (_, index) => block.stored(index)),
    );
    const lines = change(before);
    this.#blocks.splice(number, count, ...this.#packed(lines));
    this.#length += lines.length - before.length;
    for (const block of old) this.#release(block);
    this.#count();
  }

  /** Blocks of just these lines, evenly: no sliver shall be left that is split next. */
  #packed(lines: readonly Stored[]): readonly Block[] {
    const { blockBytes, blockLines } = this.#limits;
    const bytes = lines.reduce((sum, { start, end }) => sum + end - start, 0);
    const count = Math.max(1, Math.ceil(lines.length / blockLines), Math.ceil(bytes / blockBytes));
    const size = Math.max(1, Math.ceil(lines.length / count));
    const blocks: Block[] = [];
    for (let from = 0; from < lines.length; from += size) {
      const part = lines.slice(from, from + size);
      const length = part.reduce((sum, { start, end }) => sum + end - start, 0);
      const block = new Block(blockMemory(length, part.length));
      for (const line of part) block.add(line);
      this.#bytes += block.size;
      blocks.push(block);
    }
    return blocks;
  }

  #add(line: Stored): void {
    if (this.#last()?.add(line) !== true) this.#open(line.end - line.start).add(line);
    this.#length += 1;
  }

  #last(): Block | undefined {
    return this.#blocks.at(-1);
  }

  /** A new last block with room for one line of this length at least. */
  #open(length: number): Block {
    const block = this.#make(length);
    this.#blocks.push(block);
    this.#starts.push((this.#starts[0] ?? 0) + this.#length);
    return block;
  }

  #make(length: number): Block {
    const block =
      length > this.#limits.blockBytes
        ? new Block(blockMemory(length, 1))
        : (this.#free.pop() ?? new Block(this.#stock.take()));
    this.#bytes += block.size;
    return block;
  }

  #release(block: Block): void {
    this.#bytes -= block.size;
    // Others have a size of their own, which is of no use to the next line.
    if (block.size !== this.blockSize) return;
    block.clear();
    this.#free.push(block);
  }

  /** Index of the first line of a block. */
  #start(number: number): number {
    return (this.#starts[number] ?? 0) - (this.#starts[0] ?? 0);
  }

  #blockOf(index: number): number {
    const { length } = this.#starts;
    return Math.max(0, bisect(length, (number) => this.#start(number) <= index) - 1);
  }

  /** Counts where each block starts anew. */
  #count(): void {
    let start = 0;
    this.#starts = this.#blocks.map((block) => {
      const own = start;
      start += block.count;
      return own;
    });
  }
}

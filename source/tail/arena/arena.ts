import { bisect } from './bisect.ts';
import { Block, type StoredLine } from './block.ts';
import { lineOverhead, allocateBlock, BlockAllocator } from './block-memory.ts';
import type { Place } from './place.ts';
import type { Run } from './run.ts';

export interface ArenaLimits {
  /** The bytes of one block; a longer line gets its own block. */
  readonly blockBytes: number;
  readonly blockLines: number;
  /** The approximate bytes of all blocks. */
  readonly maxBytes: number;
}

/** The location of a line. */
export interface LineLocation {
  readonly block: Block;
  readonly index: number;
}

/**
 * An ordered store for millions of lines in their received bytes. Lines are in blocks of fixed
 * size, and the oldest block is emptied for the newest lines, so memory neither grows nor is
 * collected.
 */
export class Arena {
  readonly #limits: ArenaLimits;
  #blocks: Block[] = [];
  /** The index of each block's first line, relative to an arbitrary base. */
  #starts: number[] = [];
  /** Emptied blocks, to be reused. */
  readonly #free: Block[] = [];
  readonly #stock: BlockAllocator;
  #length = 0;
  #bytes = 0;

  constructor(limits: ArenaLimits) {
    this.#limits = limits;
    const { blockBytes, blockLines, maxBytes } = limits;
    this.#stock = new BlockAllocator(blockBytes, blockLines, maxBytes + this.blockSize);
  }

  get length(): number {
    return this.#length;
  }

  /** The memory of the lines in bytes, without spare blocks. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The bytes by which {@link bytes} grows at a time. */
  get blockSize(): number {
    const { blockBytes, blockLines } = this.#limits;
    return blockBytes + blockLines * lineOverhead;
  }

  /** The blocks, oldest first. */
  get blocks(): readonly Block[] {
    return this.#blocks;
  }

  /** Returns the index of the first line of a block. */
  firstIndex(number: number): number {
    return this.#startOf(number);
  }

  at(index: number): LineLocation | undefined {
    if (index < 0 || index >= this.#length) return undefined;
    const number = this.#blockOf(index);
    const block = this.#blocks[number];
    return block && { block, index: index - this.#startOf(number) };
  }

  place(index: number): Place | undefined {
    const spot = this.at(index);
    return spot?.block.place(spot.index);
  }

  seq(index: number): number | undefined {
    const spot = this.at(index);
    return spot?.block.seq(spot.index);
  }

  /**
   * Calls `visit` for each block with lines between `from` and `to`, with the range in the block.
   */
  forEachBlock(
    from: number,
    to: number,
    visit: (block: Block, from: number, to: number) => void,
  ): void {
    const last = Math.min(to, this.#length);
    let index = Math.max(0, from);
    for (let number = this.#blockOf(index); index < last; number += 1) {
      const block = this.#blocks[number];
      if (block === undefined) return;
      const start = this.#startOf(number);
      const end = Math.min(block.count, last - start);
      visit(block, index - start, end);
      index = start + end;
    }
  }

  /**
   * Returns the index of the first line for which `isBefore` is false; it must be true only before
   * it.
   */
  search(isBefore: (block: Block, index: number) => boolean): number {
    const isBlockBefore = (number: number): boolean => {
      const block = this.#blocks[number];
      return block !== undefined && isBefore(block, 0);
    };
    const number = Math.max(0, bisect(this.#blocks.length, isBlockBefore) - 1);
    const block = this.#blocks[number];
    if (block === undefined) return 0;
    return this.#startOf(number) + bisect(block.count, (index) => isBefore(block, index));
  }

  /**
   * Appends a run.
   *
   * @param seq `seq` of the first line; the others count on from it.
   */
  append(run: Run, seq: number): void {
    let doneCount = 0;
    while (doneCount < run.count) {
      const added = this.#last()?.addRun(run, doneCount, seq + doneCount) ?? 0;
      if (added === 0) this.#openBlock((run.ends[doneCount] ?? 0) - (run.starts[doneCount] ?? 0));
      doneCount += added;
      this.#length += added;
    }
  }

  insert(index: number, lines: readonly StoredLine[]): void {
    if (index >= this.#length) {
      for (const line of lines) this.#add(line);
      return;
    }
    const number = this.#blockOf(index);
    const at = index - this.#startOf(number);
    if (at > 0) this.#rebuild(number, 1, (old) => old.toSpliced(at, 0, ...lines));
    else this.#insertBefore(number, lines);
  }

  /** Inserts lines between two blocks: into the first block, and the rest into new ones. */
  #insertBefore(number: number, lines: readonly StoredLine[]): void {
    const previous = this.#blocks[number - 1];
    let doneCount = 0;
    for (const line of lines) {
      if (previous?.add(line) !== true) break;
      doneCount += 1;
    }
    this.#blocks.splice(number, 0, ...this.#pack(lines.slice(doneCount)));
    this.#length += lines.length;
    this.#updateStarts();
  }

  remove(index: number, count: number): void {
    const end = Math.min(index + count, this.#length);
    if (end <= index) return;
    const first = this.#blockOf(index);
    const start = this.#startOf(first);
    const blocks = this.#blockOf(end - 1) - first + 1;
    this.#rebuild(first, blocks, (old) => old.toSpliced(index - start, end - index));
  }

  /** Drops a block, except its lines at some indexes. */
  reduce(number: number, kept: readonly number[]): void {
    if (number > 0 || kept.length > 0) {
      this.#rebuild(number, 1, (lines) => kept.flatMap((index) => lines[index] ?? []));
      return;
    }
    const block = this.#blocks.shift();
    this.#starts.shift();
    if (block === undefined) return;
    this.#length -= block.count;
    this.#release(block);
  }

  /** Replaces the lines of some blocks. */
  #rebuild(
    number: number,
    count: number,
    change: (lines: readonly StoredLine[]) => readonly StoredLine[],
  ): void {
    const old = this.#blocks.slice(number, number + count);
    const oldLines = old.flatMap((block) =>
      Array.from({ length: block.count }, (_, index) => block.storedLine(index)),
    );
    const lines = change(oldLines);
    this.#blocks.splice(number, count, ...this.#pack(lines));
    this.#length += lines.length - oldLines.length;
    for (const block of old) this.#release(block);
    this.#updateStarts();
  }

  /** Packs lines evenly into blocks of their exact size, so that no tiny block is split next. */
  #pack(lines: readonly StoredLine[]): readonly Block[] {
    const { blockBytes, blockLines } = this.#limits;
    const bytes = lines.reduce((sum, { start, end }) => sum + end - start, 0);
    const count = Math.max(1, Math.ceil(lines.length / blockLines), Math.ceil(bytes / blockBytes));
    const size = Math.max(1, Math.ceil(lines.length / count));
    const blocks: Block[] = [];
    for (let from = 0; from < lines.length; from += size) {
      const part = lines.slice(from, from + size);
      const length = part.reduce((sum, { start, end }) => sum + end - start, 0);
      const block = new Block(allocateBlock(length, part.length));
      for (const line of part) block.add(line);
      this.#bytes += block.size;
      blocks.push(block);
    }
    return blocks;
  }

  #add(line: StoredLine): void {
    if (this.#last()?.add(line) !== true) this.#openBlock(line.end - line.start).add(line);
    this.#length += 1;
  }

  #last(): Block | undefined {
    return this.#blocks.at(-1);
  }

  /** Opens a new last block with room for at least one line of this length. */
  #openBlock(length: number): Block {
    const block = this.#createBlock(length);
    this.#blocks.push(block);
    this.#starts.push((this.#starts[0] ?? 0) + this.#length);
    return block;
  }

  #createBlock(length: number): Block {
    const block =
      length > this.#limits.blockBytes
        ? new Block(allocateBlock(length, 1))
        : (this.#free.pop() ?? new Block(this.#stock.allocate()));
    this.#bytes += block.size;
    return block;
  }

  #release(block: Block): void {
    this.#bytes -= block.size;
    // A block of another size is of no use to the next line.
    if (block.size !== this.blockSize) return;
    block.clear();
    this.#free.push(block);
  }

  /** Returns the index of a block's first line. */
  #startOf(number: number): number {
    return (this.#starts[number] ?? 0) - (this.#starts[0] ?? 0);
  }

  #blockOf(index: number): number {
    const { length } = this.#starts;
    return Math.max(0, bisect(length, (number) => this.#startOf(number) <= index) - 1);
  }

  /** Recomputes the start of each block. */
  #updateStarts(): void {
    let start = 0;
    this.#starts = this.#blocks.map((block) => {
      const blockStart = start;
      start += block.count;
      return blockStart;
    });
  }
}

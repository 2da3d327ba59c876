import { Arena } from './arena.ts';
import type { StoredLine } from './block.ts';
import { scanBlock } from './block-scan.ts';
import type { LineEntry, LineMessage } from './entries.ts';
import type { Place } from './place.ts';
import type { PlacedRow, LogRow } from './row.ts';
import type { Run } from './run.ts';
import { ServiceNames, unlisted } from '../service-names.ts';
import { nextTrim, type ShownAt, type Trim } from './trim.ts';
import type { Prefilter } from '../query/prefilter.ts';

/** Decodes the message between `start` and `end`; undefined for a message that is no log line. */
export type DecodeLine<Line> = (bytes: Uint8Array, start: number, end: number) => Line | undefined;

export interface LineStoreOptions<Line> {
  readonly row: (line: Line) => LogRow<Line>;
  /** Encodes a line as a message that {@link decode} restores. */
  readonly encode: (line: Line) => Uint8Array;
  readonly decode: DecodeLine<Line>;
  /** Makes a line of a message's text that is no log line. */
  readonly plain: (text: string) => Line;
  readonly maxLines: number;
  /** The limit of memory in bytes. */
  readonly maxBytes: number;
}

/**
 * The size of one block. Tighter limits shrink it, since the oldest block is dropped whole. A scan
 * decodes a block as one string: above 128 KiB V8 keeps it apart from other objects, and a scan takes
 * about three times as long.
 */
const blockBytes = 120 * 1024;
const blockLines = 1024;

const utf8 = new TextDecoder();

/** The lines of a log, stored as messages and decoded on access. */
export class LineStore<Line> {
  readonly services = new ServiceNames();
  readonly #options: LineStoreOptions<Line>;
  readonly #arena: Arena;
  readonly #cache = new EntryCache<Line>();

  constructor(options: LineStoreOptions<Line>) {
    this.#options = options;
    this.#arena = new Arena({
      blockBytes: Math.max(512, Math.min(blockBytes, Math.floor(options.maxBytes / 16))),
      blockLines: Math.max(1, Math.min(blockLines, options.maxLines >> 3)),
      maxBytes: options.maxBytes,
    });
  }

  get length(): number {
    return this.#arena.length;
  }

  /** The memory of the lines in bytes. */
  get bytes(): number {
    return this.#arena.bytes;
  }

  /** The bytes by which {@link bytes} grows at a time. */
  get blockSize(): number {
    return this.#arena.blockSize;
  }

  place(index: number): Place | undefined {
    return this.#arena.place(index);
  }

  seq(index: number): number | undefined {
    return this.#arena.seq(index);
  }

  /** Returns the index of the first line at or after a place. */
  indexFrom(place: Place): number {
    return this.#arena.search((block, at) => block.place(at) < place);
  }

  /** Returns the index of the first line after a place. */
  indexAfter(place: Place): number {
    return this.#arena.search((block, at) => block.place(at) <= place);
  }

  /** Returns the index of the line with this `seq`, or else of the next higher one. */
  indexOf(seq: number): number {
    return this.#arena.search((block, at) => block.seq(at) < seq);
  }

  at(index: number): LineEntry<Line> | undefined {
    const location = this.#arena.at(index);
    if (location === undefined) return undefined;
    const { block, index: at } = location;
    const seq = block.seq(at);
    const start = block.start(at);
    const end = block.end(at);
    return this.#cache.get(seq, end - start, () => {
      const line = this.read(block.bytes, start, end);
      return { kind: 'line', seq, place: block.place(at), line };
    });
  }

  message(index: number): LineMessage | undefined {
    const location = this.#arena.at(index);
    if (location === undefined) return undefined;
    const { block, index: at } = location;
    const { bytes } = block;
    const start = block.start(at);
    const end = block.end(at);
    return { kind: 'message', seq: block.seq(at), place: block.place(at), bytes, start, end };
  }

  /** Returns the line of a message, or its text as a line when it is not a log line. */
  read(bytes: Uint8Array, start: number, end: number): Line {
    const { decode, plain } = this.#options;
    return decode(bytes, start, end) ?? plain(utf8.decode(bytes.subarray(start, end)));
  }

  /** Returns the rows of the lines between `from` and `to` for the merge. */
  placedRows(from: number, to: number): readonly PlacedRow<Line>[] {
    const { row } = this.#options;
    const placed: PlacedRow<Line>[] = [];
    for (let index = Math.max(0, from); index < to; index += 1) {
      const entry = this.at(index);
      if (entry === undefined) break;
      placed.push({ place: entry.place, row: row(entry.line) });
    }
    return placed;
  }

  /**
   * Passes the texts and services of lines to `visit`. A text may keep many others alive, so do not
   * retain it.
   *
   * @returns the bytes of the lines, visited or not.
   */
  scan(
    from: number,
    to: number,
    visit: (index: number, text: string, service: string | undefined) => void,
    prefilter?: Prefilter,
  ): number {
    const { row } = this.#options;
    let index = from;
    let bytes = 0;
    this.#arena.forEachBlock(from, to, (block, start, end) => {
      const first = index - start;
      index += end - start;
      const visitText = (at: number, text: string | undefined): void => {
        const service = block.service(at);
        if (text !== undefined && service !== unlisted) {
          visit(first + at, text, this.services.name(service));
        } else {
          const lineRow = row(this.read(block.bytes, block.start(at), block.end(at)));
          visit(first + at, lineRow.text, lineRow.service);
        }
      };
      bytes += scanBlock(block, start, end, visitText, prefilter);
    });
    return bytes;
  }

  append(run: Run, seq: number): void {
    this.#arena.append(run, seq);
  }

  insert(index: number, rows: readonly PlacedRow<Line>[], seqs: readonly number[]): void {
    const lines = rows.map(({ place, row }, at): StoredLine => {
      const bytes = row.message ?? this.#options.encode(row.line);
      const service = this.services.code(row.service);
      return { bytes, start: 0, end: bytes.length, place, seq: seqs[at] ?? 0, service };
    });
    this.#arena.insert(index, lines);
  }

  remove(index: number, count: number): void {
    this.#arena.remove(index, count);
    this.#cache.clear();
  }

  /** Returns what to drop next; see {@link nextTrim}. */
  nextTrim(shown: ShownAt): Trim | undefined {
    const { maxBytes, maxLines } = this.#options;
    return nextTrim(this.#arena, shown, { bytes: maxBytes / 4, lines: maxLines / 2 });
  }

  /** Returns the runs of lines that a trim drops, as indexes; `to` is that of the line behind a run. */
  droppedBy({ number, kept }: Trim): readonly { readonly from: number; readonly to: number }[] {
    const first = this.#arena.firstIndex(number);
    const ends = [...kept, this.#arena.blocks[number]?.count ?? 0];
    return ends.flatMap((end, at) => {
      const start = at === 0 ? 0 : (ends[at - 1] ?? 0) + 1;
      return start < end ? { from: first + start, to: first + end } : [];
    });
  }

  reduce({ number, kept }: Trim): void {
    this.#arena.reduce(number, kept);
    this.#cache.clear();
  }

  renumber(seqOf: (index: number) => number): void {
    let index = 0;
    this.#arena.forEachBlock(0, this.length, (block, from, to) => {
      for (let at = from; at < to; at += 1, index += 1) block.setSeq(at, seqOf(index));
    });
    this.#cache.clear();
  }
}

/** The slots for lines of usual length, and that length in bytes. */
const usualSlots = 512;
const maxUsualLength = 16 * 1024;

/** The slots for longer lines. */
const longSlots = 8;

/** Caches recently read entries, so that repainting a window does not decode them again. */
class EntryCache<Line> {
  readonly #usual: (LineEntry<Line> | undefined)[] = [];
  readonly #long: (LineEntry<Line> | undefined)[] = [];

  /**
   * Returns the entry with this `seq`, from the cache or else from `read`.
   *
   * @param length bytes of the line.
   */
  get(seq: number, length: number, read: () => LineEntry<Line>): LineEntry<Line> {
    const isUsual = length <= maxUsualLength;
    const entries = isUsual ? this.#usual : this.#long;
    const number = Math.abs(Math.floor(seq));
    // Numbers may lie 2^16 or more apart, so the higher bits count too.
    const slot = (number + Math.floor(number / 2 ** 16)) % (isUsual ? usualSlots : longSlots);
    const cached = entries[slot];
    if (cached?.seq === seq) return cached;
    const entry = read();
    entries[slot] = entry;
    return entry;
  }

  clear(): void {
    this.#usual.length = 0;
    this.#long.length = 0;
  }
}

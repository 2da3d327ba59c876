import type { LogRow, PlacedRow } from '../arena/row.ts';
import { bucketAt, bucketOf, bucketSize, instantOf, placeBehind } from './instants.ts';
import type { MergedLog } from './merged-log.ts';
import type { ShownFields } from './shown-fields.ts';

interface KeyCount {
  shown: number;
  /** Copies that the present connection has sent. */
  sent: number;
}

export interface Bucket {
  readonly counts: Map<string, KeyCount>;
  /** Lines that are shown, and those of them that the present connection has sent. */
  shown: number;
  sent: number;
  /** The highest place in it. */
  last: number | undefined;
}

/** Buckets whose counts are remembered: a copy that comes later than that is taken as known. */
const mostBuckets = 4096;

/** The known lines of each instant, counted by their keys. */
export class InstantCounts<Line> {
  /** True once a line came after a younger one, or a page had another order than the stream. */
  isDisordered = false;
  readonly log: MergedLog<Line>;
  readonly fields: ShownFields;
  readonly #buckets = new Map<number, Bucket>();

  constructor(log: MergedLog<Line>, fields: ShownFields) {
    this.log = log;
    this.fields = fields;
  }

  /** Begins to count the copies of another connection. */
  restart(): void {
    this.#buckets.clear();
  }

  /** Counts the copies of the present connection in instants of another length. */
  replaced(): void {
    const before = [...this.#buckets];
    this.#buckets.clear();
    for (const [start, { counts }] of before) {
      const bucket = this.bucket(this.bucketOf(start));
      for (const [key, { sent }] of counts) {
        const count = bucket.counts.get(key);
        if (count === undefined) continue;
        count.sent += sent;
        bucket.sent += sent;
      }
    }
  }

  /** Length of an instant in places. */
  get size(): number {
    return bucketSize(this.fields.digits);
  }

  bucketOf(place: number): number {
    return bucketOf(place, this.size);
  }

  /** Returns the start of a row's bucket: without an instant, the one of the row before it. */
  startOf(row: LogRow<Line>, before: number | undefined): number {
    const instant = instantOf(row);
    if (instant !== undefined) return bucketAt(instant.time, this.size);
    return before ?? this.bucketOf(this.#highest() ?? 0);
  }

  #highest(): number | undefined {
    const [last] = this.log.upTo(Number.MAX_SAFE_INTEGER, 1);
    return last && Number(last.place);
  }

  /** Returns the bucket, or else the next one that has room for another line. */
  withRoom(start: number): number {
    const { last } = this.bucket(start);
    if (placeBehind(last, start, this.size) !== undefined) return start;
    return this.withRoom(start + this.size);
  }

  /** Returns the counts of a bucket. */
  bucket(start: number): Bucket {
    const known = this.#buckets.get(start);
    if (known !== undefined) return known;
    const bucket: Bucket = { counts: new Map(), shown: 0, sent: 0, last: undefined };
    for (const { place, row } of this.lines(start)) {
      const key = this.fields.keyOf(row);
      const count = bucket.counts.get(key) ?? { shown: 0, sent: 0 };
      count.shown += 1;
      bucket.shown += 1;
      bucket.counts.set(key, count);
      bucket.last = Number(place);
    }
    this.#buckets.set(start, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > mostBuckets && oldest !== undefined) this.#buckets.delete(oldest);
    return bucket;
  }

  /** Counts the lines of a bucket anew after a page. */
  recount(start: number, keys: readonly string[], last: number | undefined): void {
    const bucket = this.#buckets.get(start);
    if (bucket === undefined) return;
    for (const count of bucket.counts.values()) count.shown = 0;
    bucket.shown = keys.length;
    for (const key of keys) {
      const count = bucket.counts.get(key) ?? { shown: 0, sent: 0 };
      count.shown += 1;
      bucket.counts.set(key, count);
    }
    bucket.last = last;
  }

  /** Returns the known lines of a bucket. */
  lines(start: number): readonly PlacedRow<Line>[] {
    const end = start + this.size;
    const count = this.log.linesFrom(start) - this.log.linesFrom(end);
    return count === 0 ? [] : this.log.from(start, count);
  }
}

import type { LogRow, PlacedRow } from '../arena/row.ts';
import { bucketAt, bucketOf, bucketSize, instantOf, placeBehind } from './instants.ts';
import type { MergedLog } from '../arena/change.ts';
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
  /** The lines have changed since they were counted. */
  isStale: boolean;
}

/** Returns the copies of a line in a bucket. */
export function countOf(bucket: Bucket, key: string): KeyCount {
  const count = bucket.counts.get(key) ?? { shown: 0, sent: 0 };
  bucket.counts.set(key, count);
  return count;
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
    let bucket = this.#buckets.get(start);
    if (bucket === undefined) {
      bucket = { counts: new Map(), shown: 0, sent: 0, last: undefined, isStale: true };
      this.#buckets.set(start, bucket);
      const [oldest] = this.#buckets.keys();
      if (this.#buckets.size > mostBuckets && oldest !== undefined) this.#buckets.delete(oldest);
    }
    if (bucket.isStale) this.#countShown(bucket, start);
    return bucket;
  }

  /** Returns the number of lines of a bucket that the present connection has sent. */
  sentIn(start: number): number {
    return this.#buckets.get(start)?.sent ?? 0;
  }

  /** A page changes the lines of a bucket. */
  changed(start: number): void {
    const bucket = this.#buckets.get(start);
    if (bucket !== undefined) bucket.isStale = true;
  }

  #countShown(bucket: Bucket, start: number): void {
    const lines = this.lines(start);
    for (const count of bucket.counts.values()) count.shown = 0;
    for (const { row } of lines) countOf(bucket, this.fields.keyOf(row)).shown += 1;
    bucket.shown = lines.length;
    bucket.last = lines.length === 0 ? undefined : Number(lines.at(-1)?.place);
    bucket.isStale = false;
  }

  /** Returns the known lines of a bucket. */
  lines(start: number): readonly PlacedRow<Line>[] {
    const end = start + this.size;
    const count = this.log.linesFrom(start) - this.log.linesFrom(end);
    return count === 0 ? [] : this.log.from(start, count);
  }
}

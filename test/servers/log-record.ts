import type { LogId, LogLine, LogQuery } from '../../source/contract/logs.ts';

export interface RecordOptions {
  /** Which end of the log offset 0 is. */
  readonly offsets: 'newest' | 'oldest';
  /** How the rows of one page follow each other. */
  readonly rows: 'newest' | 'oldest';
  /** Most rows of a page, whatever is asked for. */
  readonly maxPage: number;
  /** Lines kept; older ones are dropped. */
  readonly retention: number;
  /** What a line looks like over HTTP and over the stream. */
  readonly overHttp: (line: LogLine) => LogLine;
  readonly overStream: (line: LogLine) => LogLine;
}

/** The log of one deployment as a service keeps it, with an order and an offset of its own. */
export class LogRecord {
  readonly options: RecordOptions;
  /** Every line there ever was; index is the line's number. */
  readonly all: LogLine[] = [];
  readonly #numbers = new Map<LogId, number>();

  constructor(options: RecordOptions) {
    this.options = options;
  }

  /** Number of the oldest line that is kept. */
  get oldest(): number {
    return Math.max(0, this.all.length - this.options.retention);
  }

  append(line: LogLine): void {
    if (line.id !== undefined) this.#numbers.set(line.id, this.all.length);
    this.all.push(line);
  }

  /** Number of the line with the id of this one; -1 without one. */
  numberOf({ id }: LogLine): number {
    return id === undefined ? -1 : (this.#numbers.get(id) ?? -1);
  }

  streamed(number: number): LogLine {
    return this.#given(number, this.options.overStream);
  }

  page({ limit = 100, offset = 0, service, search }: LogQuery): readonly LogLine[] {
    const { offsets, rows, maxPage, overHttp } = this.options;
    const kept = Array.from(
      { length: this.all.length - this.oldest },
      (_, index) => this.oldest + index,
    ).filter((number) => matches(this.all[number], service, search));
    const size = Math.min(limit, maxPage);
    const end = kept.length - offset;
    const part =
      offsets === 'oldest'
        ? kept.slice(offset, offset + size)
        : kept.slice(Math.max(0, end - size), Math.max(0, end));
    const lines = part.map((number) => this.#given(number, overHttp));
    return rows === 'newest' ? lines.toReversed() : lines;
  }

  #given(number: number, shape: (line: LogLine) => LogLine): LogLine {
    return shape(this.all[number] ?? { logLine: '' });
  }
}

function matches(
  line: LogLine | undefined,
  service: string | undefined,
  search: string | undefined,
): boolean {
  if (line === undefined) return false;
  if (service !== undefined && line.serviceName !== service) return false;
  return search === undefined || line.logLine.toLowerCase().includes(search.toLowerCase());
}

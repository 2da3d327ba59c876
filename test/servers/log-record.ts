import type { LogId, LogLine, LogQuery } from '../../source/contract/logs.ts';

export interface RecordOptions {
  /** End of the log at which offset 0 lies. */
  readonly offsets: 'newest' | 'oldest';
  /** First row of a page. */
  readonly rows: 'newest' | 'oldest';
  /** Largest number of rows of a page. */
  readonly maxPage: number;
  /** Number of retained lines; older ones are dropped. */
  readonly retention: number;
  /** Converts a line for HTTP and for the stream. */
  readonly overHttp: (line: LogLine) => LogLine;
  readonly overStream: (line: LogLine) => LogLine;
}

/** The log of one deployment with a configurable order and offset. */
export class LogRecord {
  readonly options: RecordOptions;
  /** Every line ever written, by its number. */
  readonly all: LogLine[] = [];
  readonly #numbers = new Map<LogId | string, number>();

  constructor(options: RecordOptions) {
    this.options = options;
  }

  /** Number of the oldest retained line. */
  get oldest(): number {
    return Math.max(0, this.all.length - this.options.retention);
  }

  append(line: LogLine): void {
    if (line.id !== undefined) this.#numbers.set(line.id, this.all.length);
    this.all.push(line);
  }

  /** Returns the number of the line with this line's id; -1 without one. */
  numberOf({ id }: LogLine): number {
    return id === undefined ? -1 : (this.#numbers.get(id) ?? -1);
  }

  streamed(number: number): LogLine {
    return this.#convert(number, this.options.overStream);
  }

  page({ limit = 100, offset = 0, service, search }: LogQuery): readonly LogLine[] {
    const { offsets, rows, maxPage, overHttp } = this.options;
    const retained = Array.from(
      { length: this.all.length - this.oldest },
      (_, index) => this.oldest + index,
    ).filter((number) => matches(this.all[number], service, search));
    const size = Math.min(limit, maxPage);
    const end = retained.length - offset;
    const part =
      offsets === 'oldest'
        ? retained.slice(offset, offset + size)
        : retained.slice(Math.max(0, end - size), Math.max(0, end));
    const lines = part.map((number) => this.#convert(number, overHttp));
    return rows === 'newest' ? lines.toReversed() : lines;
  }

  #convert(number: number, shape: (line: LogLine) => LogLine): LogLine {
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

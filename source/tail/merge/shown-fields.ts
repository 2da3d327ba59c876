import type { LogRow } from '../arena/row.ts';
import { instantOf, mostDigits } from './instants.ts';

/** The ways in which lines come. */
export type Transport = 'http' | 'stream';

/** The fields that a transport shows; undefined while that is unknown. */
class Fields {
  ids: boolean | undefined;
  services: boolean | undefined;
  instants: boolean | undefined;
  digits = 0;

  note(rows: readonly LogRow<unknown>[]): void {
    if (rows.length === 0) return;
    this.ids = this.ids !== false && rows.every(({ id }) => id !== undefined);
    this.services = this.services !== false && rows.every(({ service }) => service !== undefined);
    // Some lines of a text have no time of their own; those of a bare one have none at all.
    for (const row of rows) {
      if (this.instants === true && this.digits === 3) return;
      const instant = instantOf(row);
      if (instant === undefined) this.instants ??= false;
      else {
        this.instants = true;
        this.digits = Math.max(this.digits, instant.digits);
      }
    }
  }
}

/**
 * The way in which lines are recognized and ordered. `id`: by the number of the line. `instant`: by
 * the instant, with the service and the id or text. `text`: where one transport shows neither, by
 * the texts around.
 */
export type Order = 'id' | 'instant' | 'text';

/** The fields that both transports show: only those are compared. */
export class ShownFields {
  readonly #http = new Fields();
  readonly #stream = new Fields();
  /** Ids turned out not to order the lines. */
  areIdsUnusable = false;

  note(transport: Transport, rows: readonly LogRow<unknown>[]): void {
    (transport === 'http' ? this.#http : this.#stream).note(rows);
  }

  /** True once a page had a row. */
  get hasPages(): boolean {
    return this.#http.ids !== undefined;
  }

  get ids(): boolean {
    return this.#http.ids !== false && this.#stream.ids !== false;
  }

  get services(): boolean {
    return this.#http.services !== false && this.#stream.services !== false;
  }

  get instants(): boolean {
    return this.#http.instants !== false && this.#stream.instants !== false;
  }

  get order(): Order {
    if (this.ids && !this.areIdsUnusable) return 'id';
    return this.instants ? 'instant' : 'text';
  }

  /** Digits of a second at the coarser of the two precisions. */
  get digits(): number {
    const shown = [this.#http, this.#stream].filter(({ instants }) => instants === true);
    return shown.length === 0 ? 0 : Math.min(...shown.map(({ digits }) => digits));
  }

  /** Returns whether two rows with the same id are the same line. */
  isSame(left: LogRow<unknown>, right: LogRow<unknown>): boolean {
    if (this.services && left.service !== right.service) return false;
    const first = instantOf(left);
    const second = instantOf(right);
    if (first === undefined || second === undefined) return left.text === right.text;
    const size = 10 ** (mostDigits - this.digits);
    return Math.floor(first.time / size) === Math.floor(second.time / size);
  }

  /** The fields that a key is made of. */
  get keyForm(): string {
    return `${this.services} ${this.ids}`;
  }

  /** Returns the key of a row among those of its instant. */
  keyOf({ id, service, text }: LogRow<unknown>): string {
    return `${this.services ? (service ?? '') : ''}\n${this.ids ? id : text}`;
  }
}

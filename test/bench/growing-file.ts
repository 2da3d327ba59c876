import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { floodServices } from './flood-answers.ts';
import { logTexts, textOf } from './log-texts.ts';

/** Milliseconds between two bursts, as the service that writes the same lines has them. */
const beat = 5;

/** A log file in a folder of its own. */
export class GrowingFile implements Disposable {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'hostdeck-bench-'));
  readonly file = path.join(this.#folder, 'shop.log');
  readonly #descriptor = openSync(this.file, 'a');
  readonly #texts: readonly string[];
  #written: number;

  /**
   * @param length bytes of a line's text.
   * @param before lines of the log that are not in the file.
   */
  constructor(length: number, before = 0) {
    this.#texts = logTexts(length);
    this.#written = before;
  }

  /** Number of the last line. */
  get written(): number {
    return this.#written;
  }

  /** Appends lines at once, with their time and service where `whole` is not false. */
  append(count: number, whole = true): void {
    const lines: string[] = [];
    for (let added = 0; added < count; added += 1) {
      this.#written += 1;
      const text = textOf(this.#written, this.#texts);
      const service = floodServices[this.#written % floodServices.length] ?? '';
      lines.push(whole ? `${new Date().toISOString()} ${service}  ${text}\n` : `${text}\n`);
    }
    writeSync(this.#descriptor, lines.join(''));
  }

  /** Appends lines at a steady rate, in lines a second. */
  async pace(seconds: number, rate: number): Promise<void> {
    const started = performance.now();
    for (let done = 0; done < seconds * rate; ) {
      await sleep(beat);
      const due = Math.floor(((performance.now() - started) * rate) / 1000);
      this.append(due - done);
      done = due;
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
    rmSync(this.#folder, { recursive: true });
  }
}

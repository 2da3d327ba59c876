import { expect } from 'vitest';
import type { Session } from './harness.ts';

/** The output of a program for a screen reader, heard from the beginning to the end. */
export class Transcript {
  readonly #session: Session;
  #from = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Waits for a text behind the one that was heard last; fails when it does not come. */
  async hear(text: string): Promise<void> {
    await this.#session.waitFor(({ transcript }) => transcript.includes(text, this.#from));
    this.#from = this.#session.transcript.indexOf(text, this.#from) + text.length;
  }

  /** Presses keys, then hears texts in this order. */
  async press(keys: readonly string[], ...texts: readonly string[]): Promise<void> {
    this.#session.press(...keys);
    for (const text of texts) await this.hear(text);
  }

  /** Everything behind the text that was heard last. */
  get rest(): string {
    return this.#session.transcript.slice(this.#from);
  }

  /** Output that erases, moves or switches a mode: control sequences but colours, and backward moves. */
  expectAppendOnly(): void {
    const { transcript } = this.#session;
    // eslint-disable-next-line no-control-regex
    expect(transcript.match(/\x1b(?!\[[\d;:]*m|\]52;)[^]{0,8}/g)).toBeNull();
    // eslint-disable-next-line no-control-regex
    expect(transcript.match(/[\x00-\x06\x08\x09\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]/g)).toBeNull();
    expect(transcript.match(/\r(?!\r?\n)/g)).toBeNull();
  }
}

/** One write whose arrival the terminal was asked to tell. Times in ms, sizes in bytes. */
export type PendingQuestion = {
  /** Bytes this answer tells of: those since the question before. */
  bytes: number;
  at: number;
  /** Bytes in flight with it, its own included. */
  inFlight: number;
  /** Bytes that had been answered for when it was sent. */
  answeredBefore: number;
};

/** The questions kept at most; writes beyond are told of by the next question. */
const limit = 1024;

/** Bytes in flight, counted by the questions behind them. A terminal answers in the order asked. */
export class Questions {
  readonly #open: PendingQuestion[] = [];
  #unasked = 0;
  #asked = 0;
  #answered = 0;

  /** Counts bytes written; with `asked` false, or too many open, the next question tells of them. */
  add(bytes: number, at: number, asked: boolean): void {
    this.#unasked += bytes;
    if (!asked || this.full) return;
    const own = this.#unasked;
    this.#unasked = 0;
    this.#asked += own;
    const answeredBefore = this.#answered;
    this.#open.push({ bytes: own, at, inFlight: this.#asked, answeredBefore });
  }

  /** Takes one answer: the oldest question, or undefined when none is open. */
  take(): PendingQuestion | undefined {
    const question = this.#open.shift();
    if (question === undefined) return undefined;
    this.#asked -= question.bytes;
    this.#answered += question.bytes;
    return question;
  }

  /** Writes off all that is in flight. */
  forget(): void {
    this.#open.length = 0;
    this.#asked = 0;
    this.#unasked = 0;
  }

  get count(): number {
    return this.#open.length;
  }

  get full(): boolean {
    return this.#open.length >= limit;
  }

  get oldest(): PendingQuestion | undefined {
    return this.#open[0];
  }

  get newest(): PendingQuestion | undefined {
    return this.#open.at(-1);
  }

  /** Bytes not answered for, those written without a question included. */
  get bytesInFlight(): number {
    return this.#asked + this.#unasked;
  }

  /** Bytes answered for, ever. */
  get bytesAnswered(): number {
    return this.#answered;
  }
}

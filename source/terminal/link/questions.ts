/** A request whose answer confirms the arrival of the output before it. Times in ms. */
export type PendingQuestion = {
  /** Bytes that the answer confirms: those since the question before. */
  bytes: number;
  sentAt: number;
  /** Bytes in flight when it was sent, its own included. */
  inFlight: number;
  /** Bytes confirmed when it was sent. */
  confirmedBefore: number;
};

/** Largest number of open questions. Later writes are confirmed by the next question. */
const limit = 1024;

/** Counts bytes in flight by the questions behind them. A terminal answers questions in order. */
export class Questions {
  readonly #open: PendingQuestion[] = [];
  /** Bytes in flight behind which no question has been sent. */
  #unquestioned = 0;
  #questioned = 0;
  #answered = 0;

  /** Counts bytes written. Without a question, or with too many open, the next one confirms them. */
  add(bytes: number, at: number, hasQuestion: boolean): void {
    this.#unquestioned += bytes;
    if (!hasQuestion || this.full) return;
    const own = this.#unquestioned;
    this.#unquestioned = 0;
    this.#questioned += own;
    const answeredBefore = this.#answered;
    this.#open.push({
      bytes: own,
      sentAt: at,
      inFlight: this.#questioned,
      confirmedBefore: answeredBefore,
    });
  }

  /** Closes and returns the oldest question, on its answer; undefined if none is open. */
  closeOldest(): PendingQuestion | undefined {
    const question = this.#open.shift();
    if (question === undefined) return undefined;
    this.#questioned -= question.bytes;
    this.#answered += question.bytes;
    return question;
  }

  /** Drops all open questions and the bytes in flight. */
  clear(): void {
    this.#open.length = 0;
    this.#questioned = 0;
    this.#unquestioned = 0;
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

  /** Bytes not confirmed, including those without a question. */
  get bytesInFlight(): number {
    return this.#questioned + this.#unquestioned;
  }

  /** Total of confirmed bytes. */
  get bytesAnswered(): number {
    return this.#answered;
  }
}

/** Aborts a call that lasts too long, or makes no progress for too long. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #silence: NodeJS.Timeout;
  readonly #total: NodeJS.Timeout;

  /**
   * @param silenceMs time after the start or the last {@link renew}.
   * @param totalMs time after the start; `silenceMs` by default.
   */
  constructor(silenceMs: number, totalMs = silenceMs) {
    const abort = () => {
      this.#controller.abort(new DOMException('no answer', 'TimeoutError'));
    };
    this.#silence = setTimeout(abort, silenceMs).unref();
    this.#total = setTimeout(abort, totalMs).unref();
  }

  /** Aborted, with a `TimeoutError` as the reason, when the deadline has passed. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Restarts the silence timer after bytes were sent or received. */
  renew(): void {
    this.#silence.refresh();
  }

  /** Cancels the deadline. */
  end(): void {
    clearTimeout(this.#silence);
    clearTimeout(this.#total);
  }
}

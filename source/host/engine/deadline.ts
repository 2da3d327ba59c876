/** Aborts a call that lasts too long, or stays silent for too long. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #silence: NodeJS.Timeout;
  readonly #total: NodeJS.Timeout;

  /**
   * @param silenceMs after the start, or after the last {@link renew}.
   * @param totalMs after the start, whatever was renewed; the same as `silenceMs` unless given.
   */
  constructor(silenceMs: number, totalMs = silenceMs) {
    const abort = () => {
      this.#controller.abort(new DOMException('no answer', 'TimeoutError'));
    };
    this.#silence = setTimeout(abort, silenceMs).unref();
    this.#total = setTimeout(abort, totalMs).unref();
  }

  /** Aborted, with a `TimeoutError` as its reason, when the deadline has passed. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Puts the silence off, as something was sent or received. */
  renew(): void {
    this.#silence.refresh();
  }

  /** Never aborts any more. */
  end(): void {
    clearTimeout(this.#silence);
    clearTimeout(this.#total);
  }
}

import type { InkStdin } from './ink-stdin.ts';
import type { KeyEvent } from './key-sequences.ts';
import type { MouseEvent } from './mouse-report.ts';

/** Milliseconds after which a hold ends by itself, in case its list fails to mount. */
const holdLimit = 1000;

/**
 * The decision of a key handler: `pass` forwards the key to Ink's focused hooks; names of keys are
 * delivered next, in place of this one.
 */
export type KeyDecision = 'consumed' | 'pass' | readonly string[];

/** The clock and the event loop, for tests. */
export interface QueueTimers {
  setTimeout(callback: () => void, delay: number): NodeJS.Timeout;
  clearTimeout(timer: NodeJS.Timeout | undefined): void;
  setImmediate(callback: () => void): unknown;
}

/**
 * Keys and events of the mouse that were read and not delivered yet. One is delivered per turn of the
 * event loop, in order, as soon as there is a handler.
 */
export class KeyQueue {
  /** False while the terminal is not read, or left: nothing is delivered then. */
  isOpen = false;
  #events: (KeyEvent | MouseEvent)[] = [];
  #handler: ((event: KeyEvent) => KeyDecision) | undefined;
  #mouseHandler: ((event: MouseEvent) => readonly string[]) | undefined;
  #isScheduled = false;
  #holdTimer: NodeJS.Timeout | undefined;
  readonly #ink: Pick<InkStdin, 'send'>;
  readonly #timers: QueueTimers;

  constructor(ink: Pick<InkStdin, 'send'>, timers: QueueTimers) {
    this.#ink = ink;
    this.#timers = timers;
  }

  add(event: KeyEvent | MouseEvent): void {
    this.#events.push(event);
  }

  /** Drops all events, and ends a hold. */
  drop(): void {
    this.#endHold();
    this.#events = [];
  }

  /** Sets the root handler; returns a function that removes it. */
  onKey(handler: (event: KeyEvent) => KeyDecision): () => void {
    this.#handler = handler;
    this.schedule();
    return () => {
      if (this.#handler === handler) this.#handler = undefined;
    };
  }

  /** Sets the handler of the mouse; returns a function that removes it. */
  onMouse(handler: (event: MouseEvent) => readonly string[]): () => void {
    this.#mouseHandler = handler;
    return () => {
      if (this.#mouseHandler === handler) this.#mouseHandler = undefined;
    };
  }

  /** Delays events until {@link release}, for at most a second. */
  hold(): void {
    this.#timers.clearTimeout(this.#holdTimer);
    this.#holdTimer = this.#timers.setTimeout(() => this.release(), holdLimit);
  }

  release(): void {
    this.#endHold();
    this.schedule();
  }

  /** Delivers the next event in another turn of the event loop, and so on with those after it. */
  schedule(): void {
    if (!this.#canDeliver() || this.#isScheduled || this.#events.length === 0) return;
    this.#isScheduled = true;
    this.#timers.setImmediate(() => {
      this.#isScheduled = false;
      this.#deliver();
      this.schedule();
    });
  }

  /** Delivers the events of now at once, until a handler holds them. */
  deliverAll(): void {
    for (let count = this.#events.length; count > 0; count -= 1) this.#deliver();
  }

  #canDeliver(): boolean {
    return this.isOpen && this.#holdTimer === undefined && this.#handler !== undefined;
  }

  #deliver(): void {
    if (!this.#canDeliver()) return;
    const event = this.#events.shift();
    if (event === undefined) return;
    if (!('name' in event)) return this.#deliverNext(this.#mouseHandler?.(event) ?? []);
    const decision = this.#handler?.(event);
    if (decision === 'pass') this.#ink.send(event);
    else if (typeof decision === 'object') this.#deliverNext(decision);
  }

  #deliverNext(names: readonly string[]): void {
    this.#events = [...names.map((name) => ({ name })), ...this.#events];
  }

  #endHold(): void {
    this.#timers.clearTimeout(this.#holdTimer);
    this.#holdTimer = undefined;
  }
}

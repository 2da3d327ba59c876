/** What lies between a program and the terminal of the person who uses it. */
export interface LinkOptions {
  /** Bytes a second towards the terminal. */
  readonly rate: number;
  /** Milliseconds there and back; half each way. */
  readonly roundTrip: number;
  /** Bytes that wait in it before it takes no more, as a connection of ssh does. */
  readonly buffer: number;
}

export interface LinkEnds {
  /** The program's side: stops and goes on reading what it writes. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** What arrives at the terminal. */
  readonly show: (data: string) => void;
  /** What arrives at the program. */
  readonly type: (data: string) => void;
}

/** Bytes that arrive together: a packet on a link so slow is no larger. */
const packet = 256;

/** A link of limited rate and some length. What is sent arrives whole and in order. */
export class SlowLink {
  readonly #options: LinkOptions;
  readonly #ends: LinkEnds;
  #waiting = 0;
  #paused = false;
  /** When what was sent so far has left for the terminal, ms. */
  #freeAt = 0;
  readonly #leaving = new Schedule();
  readonly #arriving = new Schedule();
  readonly #typing = new Schedule();

  constructor(options: LinkOptions, ends: LinkEnds) {
    this.#options = options;
    this.#ends = ends;
  }

  /** Sends what the program wrote. */
  down(data: string): void {
    const { rate, roundTrip } = this.#options;
    for (const part of packets(data)) {
      const bytes = Buffer.byteLength(part);
      this.#waiting += bytes;
      this.#freeAt = Math.max(performance.now(), this.#freeAt) + (bytes * 1000) / rate;
      this.#leaving.at(this.#freeAt, () => this.#left(bytes));
      this.#arriving.at(this.#freeAt + roundTrip / 2, () => this.#ends.show(part));
    }
    if (this.#paused || this.#waiting < this.#options.buffer) return;
    this.#paused = true;
    this.#ends.pause();
  }

  /** Sends what was typed, or answered by the terminal. */
  up(data: string): void {
    const arrival = performance.now() + this.#options.roundTrip / 2;
    this.#typing.at(arrival, () => this.#ends.type(data));
  }

  #left(bytes: number): void {
    this.#waiting -= bytes;
    if (!this.#paused || this.#waiting >= this.#options.buffer) return;
    this.#paused = false;
    this.#ends.resume();
  }
}

/** Actions at times that never go back, in the order they were given. */
class Schedule {
  readonly #waiting: { readonly time: number; readonly action: () => void }[] = [];
  #timer: NodeJS.Timeout | undefined;

  at(time: number, action: () => void): void {
    this.#waiting.push({ time, action });
    this.#wake();
  }

  #wake(): void {
    const [next] = this.#waiting;
    if (next === undefined || this.#timer !== undefined) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        const now = performance.now();
        while (this.#waiting[0] !== undefined && this.#waiting[0].time <= now) {
          this.#waiting.shift()?.action();
        }
        this.#wake();
      },
      Math.max(0, next.time - performance.now()),
    );
  }
}

/** The data in parts of some bytes, no character cut in two. */
function packets(data: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (const character of data) {
    part += character;
    if (part.length < packet) continue;
    parts.push(part);
    part = '';
  }
  return part === '' ? parts : [...parts, part];
}

/** Properties of a link between a program and a terminal. */
export interface LinkOptions {
  /** Bytes a second towards the terminal. */
  readonly rate: number;
  /** Round trip in milliseconds, half of it each way. */
  readonly roundTrip: number;
  /** Bytes that the link buffers before it pauses the program, like ssh. */
  readonly buffer: number;
}

export interface LinkEnds {
  /** Pauses and resumes the output of the program. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Receives data at the terminal. */
  readonly show: (data: string) => void;
  /** Receives data at the program. */
  readonly type: (data: string) => void;
}

/** Bytes of one packet. */
const packet = 256;

/** A link with limited rate and latency. Data arrives completely and in order. */
export class SlowLink {
  readonly #options: LinkOptions;
  readonly #ends: LinkEnds;
  #waiting = 0;
  #paused = false;
  /** Time in ms at which all data sent so far has left for the terminal. */
  #freeAt = 0;
  readonly #leaving = new Schedule();
  readonly #arriving = new Schedule();
  readonly #typing = new Schedule();

  constructor(options: LinkOptions, ends: LinkEnds) {
    this.#options = options;
    this.#ends = ends;
  }

  /** Sends output of the program. */
  down(data: string): void {
    const { rate, roundTrip } = this.#options;
    for (const part of packets(data)) {
      const bytes = Buffer.byteLength(part);
      this.#waiting += bytes;
      this.#freeAt = Math.max(performance.now(), this.#freeAt) + (bytes * 1000) / rate;
      this.#leaving.at(this.#freeAt, () => this.#release(bytes));
      this.#arriving.at(this.#freeAt + roundTrip / 2, () => this.#ends.show(part));
    }
    if (this.#paused || this.#waiting < this.#options.buffer) return;
    this.#paused = true;
    this.#ends.pause();
  }

  /** Sends input or answers of the terminal. */
  up(data: string): void {
    const arrival = performance.now() + this.#options.roundTrip / 2;
    this.#typing.at(arrival, () => this.#ends.type(data));
  }

  #release(bytes: number): void {
    this.#waiting -= bytes;
    if (!this.#paused || this.#waiting >= this.#options.buffer) return;
    this.#paused = false;
    this.#ends.resume();
  }
}

/** Runs actions in order at times that never decrease. */
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

/** Splits data into packets without cutting characters. */
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

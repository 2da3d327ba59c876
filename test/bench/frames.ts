import { setTimeout as sleep } from 'node:timers/promises';
import { ObservedTerminal } from '../e2e/harness-terminal.ts';
import type { Session } from '../e2e/harness.ts';
import { changedRows, type Picture, pictureOf } from './picture.ts';

/** One write of the program, and the rows in which it changed the picture. */
interface Frame {
  readonly bytes: number;
  readonly rows: readonly number[];
}

/** The output between two quiet states. */
export interface Sample {
  readonly before: Picture;
  readonly after: Picture;
  /** All but the ticks. */
  readonly frames: readonly Frame[];
  /**
   * Writes that changed nothing but what goes by itself: row 0, which tells the rate of the log, and
   * the log's histogram, which is drawn anew once a bar.
   */
  readonly ticks: readonly Frame[];
}

/** Each write ends with the question whether the terminal has come so far. */
const question = '\x1b[5n';

/** Takes a session's output apart into its writes, by a second terminal that gets one at a time. */
export class FrameWatch {
  readonly #session: Session;
  readonly #mirror: ObservedTerminal;
  #seen = 0;
  #picture: Picture;

  constructor(session: Session) {
    this.#session = session;
    this.#mirror = new ObservedTerminal(session.terminal.cols, session.terminal.rows.length);
    this.#picture = pictureOf(this.#mirror);
  }

  /** Waits until nothing was written for `milliseconds`, and gives what was since the last time. */
  async sample(milliseconds = 60): Promise<Sample> {
    await quiet(this.#session, milliseconds);
    const { transcript } = this.#session;
    const text = transcript.slice(this.#seen);
    this.#seen = transcript.length;
    const before = this.#picture;
    const all: Frame[] = [];
    for (const write of writesOf(text)) all.push(await this.#frame(write));
    const histogram = this.#picture.findIndex((row) => /\d+[smh] a bar/.test(textOf(row)));
    const isTick = ({ rows }: Frame): boolean =>
      rows.length > 0 && rows.every((row) => row === 0 || row === histogram);
    return {
      before,
      after: this.#picture,
      frames: all.filter((frame) => !isTick(frame)),
      ticks: all.filter(isTick),
    };
  }

  async #frame(text: string): Promise<Frame> {
    await this.#mirror.write(text);
    const picture = pictureOf(this.#mirror);
    const rows = changedRows(this.#picture, picture);
    this.#picture = picture;
    return { bytes: Buffer.byteLength(text), rows };
  }
}

function textOf(row: Picture[number]): string {
  return row.map(({ text }) => text).join('');
}

function writesOf(text: string): readonly string[] {
  const parts = text.split(question);
  const last = parts.pop() ?? '';
  const whole = parts.map((part) => part + question);
  return last === '' ? whole : [...whole, last];
}

async function quiet(session: Session, milliseconds: number): Promise<void> {
  for (;;) {
    const { length } = session.transcript;
    await sleep(milliseconds);
    if (session.transcript.length === length) return;
  }
}

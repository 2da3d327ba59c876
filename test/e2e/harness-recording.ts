import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Folder that takes the recordings of all sessions; without one nothing is recorded. */
const folder = process.env['HOSTDECK_RECORDINGS'];

/** An event of a recording, a line of JSON: a size, output, or a mark where a test looked at the screen. */
export type RecordedEvent =
  | { readonly cols: number; readonly rows: number }
  | { readonly output: string }
  | { readonly mark: true };

/** Output without a mark behind it that is kept: what floods a terminal is no use to a comparison. */
const mostUnmarked = 4 * 1024 * 1024;

let count = 0;

/** The bytes of a session, for `npm run suites -- terminals`, which gives them to other terminals. */
export class Recording {
  readonly #events: RecordedEvent[] = [];
  readonly #file: string;
  #unmarked = 0;

  private constructor(file: string) {
    this.#file = file;
  }

  static begin(cols: number, rows: number): Recording | undefined {
    if (folder === undefined) return undefined;
    const place = /test\/([^\s:()]+\.test)\.tsx?:(\d+)/.exec(new Error().stack ?? '');
    const name = place === null ? 'unknown' : `${place[1]?.replaceAll('/', '-')}-${place[2]}`;
    count += 1;
    const recording = new Recording(path.join(folder, `${name}-${process.pid}-${count}.jsonl`));
    recording.resize(cols, rows);
    return recording;
  }

  output(data: string): void {
    const last = this.#events.at(-1);
    this.#unmarked += data.length;
    if (this.#unmarked > mostUnmarked) return;
    if (last !== undefined && 'output' in last)
      this.#events[this.#events.length - 1] = { output: last.output + data };
    else this.#events.push({ output: data });
  }

  resize(cols: number, rows: number): void {
    this.#events.push({ cols, rows });
  }

  mark(): void {
    if (this.#unmarked > 0 && this.#unmarked <= mostUnmarked) this.#events.push({ mark: true });
    if (this.#unmarked <= mostUnmarked) this.#unmarked = 0;
  }

  save(): void {
    mkdirSync(path.dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, this.#events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  }
}

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const preload = new URL('../../fixtures/stopped-clock.ts', import.meta.url).href;
const program = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

/** A clock for a program in a terminal: it stands still until the test moves it. */
export class StoppedClock {
  readonly #file: string;
  #now: number;

  /** @param folder holds the file by which the program reads the clock. */
  constructor(folder: string, now: number) {
    this.#file = path.join(folder, 'clock');
    this.#now = now;
    writeFileSync(this.#file, String(now));
  }

  get now(): number {
    return this.#now;
  }

  /** Options of `launch` that give the program this clock. */
  get launch() {
    return {
      command: [process.execPath, '--import', preload, program],
      env: { STOPPED_CLOCK: this.#file, TZ: 'UTC' },
    } as const;
  }

  /** Moves the clock on by so many ms; what the program does then, it does at the new time. */
  advance(milliseconds: number): void {
    this.#now += milliseconds;
    // The text keeps its length, so that a reader never finds a half of it.
    writeFileSync(this.#file, String(this.#now), { flag: 'r+' });
  }
}

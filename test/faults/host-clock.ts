import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { seenWithin } from './moved-clock.ts';

/** The wall clock of a host over its lives, which somebody sets now and then. */
export class HostClock {
  readonly file: string;
  #ahead = 0;

  constructor(file: string) {
    this.file = file;
    writeFileSync(file, '0');
  }

  now(): number {
    return Date.now() + this.#ahead;
  }

  /** Settles when the host has seen it. */
  async jump(ms: number): Promise<void> {
    this.#ahead += ms;
    writeFileSync(this.file, String(this.#ahead));
    await sleep(5 * seenWithin);
  }
}

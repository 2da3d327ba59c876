import { basename } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Says for each chapter what was held, what was broken and what was not asked, and why. */
export class Report implements Reporter {
  readonly #write: (text: string) => void;
  /** Quotes that were not asked, by reason. */
  readonly #notAsked = new Map<string, string[]>();
  #held = 0;
  #broken = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Lines that were asked, held or broken. */
  get asked(): number {
    return this.#held + this.#broken;
  }

  onTestModuleEnd(module: TestModule): void {
    const cases = [...module.children.allTests()];
    const of = (state: string) => cases.filter((each) => each.result().state === state);
    const [held, broken, left] = [of('passed'), of('failed'), of('skipped')];
    this.#held += held.length;
    this.#broken += broken.length + module.errors().length;
    const chapter = basename(module.moduleId).replace('.test.ts', '');
    this.#write(
      `${chapter}: ${held.length} held, ${broken.length} broken, ${left.length} not asked`,
    );
    for (const each of broken) this.#writeBroken(each);
    for (const { message } of module.errors()) this.#write(`  ${message}`);
    for (const each of left) this.#leave(each);
  }

  onTestRunEnd(): void {
    for (const [reason, quotes] of this.#notAsked) {
      this.#write(`\nNot asked, ${quotes.length}: ${reason}`);
      for (const quote of quotes) this.#write(`  ${quote}`);
    }
    const left = [...this.#notAsked.values()].flat().length;
    this.#write(`\n${this.#held} lines held, ${this.#broken} broken, ${left} not asked`);
  }

  #writeBroken(broken: TestCase) {
    this.#write(`  BROKEN: ${broken.fullName}`);
    for (const { message } of broken.result().errors ?? []) {
      this.#write(`    ${message.replaceAll('\n', '\n    ')}`);
    }
  }

  #leave(left: TestCase) {
    const result = left.result();
    const reason =
      (result.state === 'skipped' ? result.note : undefined) ?? 'what it needs could not be made';
    const quotes = this.#notAsked.get(reason) ?? [];
    quotes.push(left.fullName);
    this.#notAsked.set(reason, quotes);
  }
}

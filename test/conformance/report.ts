import { basename } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Reports passed, broken and skipped lines for each chapter, with the reasons for skips. */
export class Report implements Reporter {
  readonly #write: (text: string) => void;
  /** Skipped quotes, by reason. */
  readonly #notAsked = new Map<string, string[]>();
  #passed = 0;
  #broken = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Tested lines, passed or broken. */
  get tested(): number {
    return this.#passed + this.#broken;
  }

  onTestModuleEnd(module: TestModule): void {
    const cases = [...module.children.allTests()];
    const of = (state: string) => cases.filter((each) => each.result().state === state);
    const [passed, broken, skipped] = [of('passed'), of('failed'), of('skipped')];
    this.#passed += passed.length;
    this.#broken += broken.length + module.errors().length;
    const chapter = basename(module.moduleId).replace('.test.ts', '');
    this.#write(
      `${chapter}: ${passed.length} passed, ${broken.length} broken, ${skipped.length} skipped`,
    );
    for (const each of broken) this.#writeBroken(each);
    for (const { message } of module.errors()) this.#write(`  ${message}`);
    for (const each of skipped) this.#leave(each);
  }

  onTestRunEnd(): void {
    for (const [reason, quotes] of this.#notAsked) {
      this.#write(`\nSkipped, ${quotes.length}: ${reason}`);
      for (const quote of quotes) this.#write(`  ${quote}`);
    }
    const skipped = [...this.#notAsked.values()].flat().length;
    this.#write(`\n${this.#passed} lines passed, ${this.#broken} broken, ${skipped} skipped`);
  }

  #writeBroken(broken: TestCase) {
    this.#write(`  BROKEN: ${broken.fullName}`);
    for (const { message } of broken.result().errors ?? []) {
      this.#write(`    ${message.replaceAll('\n', '\n    ')}`);
    }
  }

  #leave(skipped: TestCase) {
    const result = skipped.result();
    const reason =
      (result.state === 'skipped' ? result.note : undefined) ?? 'what it needs could not be made';
    const quotes = this.#notAsked.get(reason) ?? [];
    quotes.push(skipped.fullName);
    this.#notAsked.set(reason, quotes);
  }
}

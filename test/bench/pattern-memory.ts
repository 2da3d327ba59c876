/**
 * Groups lines that all differ in their words, as a hostile service writes them, and prints the bytes of
 * the heap after some of them and after ten times as many. Needs `--expose-gc`.
 */
import { PatternGroups } from '../../source/tail/patterns/pattern-groups.ts';

const [count = 0] = process.argv.slice(2).map(Number);
const groups = new PatternGroups();
const letters = (index: number): string =>
  index.toString(26).replaceAll(/\d/g, (figure) => String.fromCodePoint(113 + Number(figure)));

function heapAfter(from: number, to: number): number {
  for (let index = from; index < to; index += 1) {
    const word = letters(index * 7919);
    groups.add(`${word} ${'of '.repeat(index % 40)}${word}${word} ${letters(index)}`);
  }
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const some = heapAfter(0, count);
const started = process.cpuUsage();
const more = heapAfter(count, 10 * count);
const { user } = process.cpuUsage(started);
process.stdout.write(`${JSON.stringify({ some, more, line: user / (9 * count) })}\n`);

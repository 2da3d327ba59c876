import { expect, test } from 'vitest';
import { ObservedTerminal } from '../e2e/harness-terminal.ts';
import { changeBytes, changedRows, type Picture, pictureOf, rowBytes } from './picture.ts';

async function pictures(...writes: readonly string[]): Promise<readonly [Picture, Picture]> {
  const terminal = new ObservedTerminal(20, 3);
  const taken: Picture[] = [];
  for (const write of writes) {
    await terminal.write(write);
    taken.push(pictureOf(terminal));
  }
  terminal.dispose();
  const [before = [], after = []] = taken;
  return [before, after];
}

test('a change costs a jump to each run, its text and its colours', async () => {
  const [before, after] = await pictures('abc', '\x1b[1;2HX\x1b[1;15H\x1b[31mred\x1b[m');
  expect(changedRows(before, after)).toEqual([0]);
  const expected = '\x1b[1;2HX\x1b[1;15H\x1b[31mred\x1b[m';
  expect(changeBytes(before, after, [0])).toBe(expected.length);
});

test('runs that are near each other are one, and what is blank to the end is erased', async () => {
  const [before, after] = await pictures('abcdefghijklmn', '\x1b[1;1HX\x1b[1;6HY\x1b[K');
  expect(changeBytes(before, after, [0])).toBe('\x1b[1;1HXbcdeY\x1b[K'.length);
});

test('a colour replaces another, and bold is switched off by itself', async () => {
  const [before, after] = await pictures('', '\x1b[3;1H\x1b[1;31ma\x1b[22;32mb\x1b[mc');
  expect(changeBytes(before, after, [2])).toBe('\x1b[3;1H\x1b[1;31ma\x1b[;32mb\x1b[mc'.length);
});

test('a row is its text, a jump and its colours', async () => {
  const [, after] = await pictures('', '\r\n  \x1b[36mnoon\x1b[m é');
  expect(rowBytes(after, 'noon')).toBe(Buffer.byteLength('\x1b[2;1H  \x1b[36mnoon \x1b[mé'));
  expect(() => rowBytes(after, 'midnight')).toThrow('no row with midnight');
});

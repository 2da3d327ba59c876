import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  applyCellSgr,
  blankStyle,
  encodeStyleChange,
  encodeStyle,
} from '../../../source/terminal/screen/cell-style.ts';
import { ObservedTerminal } from '../../e2e/harness-terminal.ts';

const plain = 0;

/** Returns the style after several sequences. */
function after(...sequences: readonly string[]): number {
  return sequences.reduce(applyCellSgr, plain);
}

const code = fc.oneof(
  fc.constantFrom('0', '1', '2', '3', '4', '7', '8', '9', '22', '23', '24', '27', '28', '29'),
  fc.constantFrom('39', '49', '53', '55', '31', '97', '44', '103', '', '4:3', '21'),
  fc.nat(255).map((n) => `38;5;${n}`),
  fc.nat(255).map((n) => `48:5:${n}`),
  fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map((rgb) => `48;2;${rgb.join(';')}`),
  fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map((rgb) => `38:2::${rgb.join(':')}`),
);
const codes = fc.array(code, { maxLength: 6 }).map((some) => some.join(';'));

describe('the style after SGR', () => {
  test.each([
    ['resets of each kind', ['1;2;3;4;7;8;9;53;31;41', '22;23;24;27;28;29;55;39;49'], []],
    ['an empty parameter as a reset', ['1;31', ''], []],
    ['a reset in the middle', ['1;0;3'], ['3']],
    ['colours with colons and a colour space', ['38:2::1:2:3'], ['38;2;1;2;3']],
    ['colours with colons', ['38:5:208'], ['38;5;208']],
    ['an underline switched off by its kind', ['4:3', '4:0'], []],
    ['a double underline as one', ['21'], ['4']],
    ['the colour of underlines as nothing', ['58;2;1;2;3;1'], ['1']],
    ['unknown codes as nothing', ['1', '99', '38;5;256', '38;7'], ['1']],
  ])('reads %s', (_, sequences, same) => {
    expect(after(...sequences)).toBe(after(...same));
  });

  test('is the same number for any order of sequences', () => {
    expect(after('1', '31', '44')).toBe(after('44;31;1'));
    expect(after('31')).toBe(after('38;5;1'));
    expect(after('31')).not.toBe(after('38;5;196'));
  });

  test('of a blank has only the visible part', () => {
    expect(blankStyle(after('1;31;3'))).toBe(plain);
    expect(blankStyle(after('1;31;44'))).toBe(after('44'));
    expect(blankStyle(after('31;7'))).toBe(after('31;7'));
    expect(blankStyle(after('31;4'))).toBe(after('31;4'));
  });
});

describe('the sequence from one style to another', () => {
  test.each([
    ['', '31', '\x1b[31m'],
    ['31', '', '\x1b[m'],
    ['31;1', '31', '\x1b[22m'],
    ['1', '2', '\x1b[0;2m'],
    ['1;38;5;208', '2;38;5;208', '\x1b[22;2m'],
    ['31', '32', '\x1b[32m'],
    ['1;3;4;38;5;208;44', '4', '\x1b[0;4m'],
    ['7', '7;1', '\x1b[1m'],
    ['31', '31', ''],
  ])('from %j to %j is %j', (from, to, sequence) => {
    expect(encodeStyleChange(after(from), after(to))).toBe(sequence);
  });

  test('results in the target style', () => {
    fc.assert(
      fc.property(codes, codes, (one, other) => {
        const [from, to] = [after(one), after(other)];
        const sequence = encodeStyleChange(from, to);
        expect(sequence === '' ? from : applyCellSgr(from, sequence.slice(2, -1))).toBe(to);
        expect(sequence.length).toBeLessThanOrEqual(encodeStyle(to).length);
        expect(applyCellSgr(from, encodeStyle(to).slice(2, -1))).toBe(to);
      }),
    );
  });

  test('has the same effect on a terminal', async () => {
    await fc.assert(
      fc.asyncProperty(codes, codes, async (one, other) => {
        const terminal = new ObservedTerminal(10, 2);
        const to = after(other);
        await terminal.write(
          `${encodeStyle(after(one))}a${encodeStyleChange(after(one), to)}b${encodeStyle(to)}c`,
        );
        expect({ ...terminal.cell(1, 0), text: 'c' }).toEqual(terminal.cell(2, 0));
        await terminal.write(`\x1b[m\x1b[${other}md`);
        expect({ ...terminal.cell(3, 0), text: 'c' }).toEqual(terminal.cell(2, 0));
        terminal.dispose();
      }),
    );
  });
});

test('text beyond the limit of styles loses its colours and keeps its other attributes', async () => {
  // Fills a table of its own, as the tests of other files share this one's.
  vi.resetModules();
  onTestFinished(() => void vi.resetModules());
  const { applyCellSgr: apply } = await import('../../../source/terminal/screen/cell-style.ts');
  let last = plain;
  for (let index = 0; index < 70_000; index++) {
    last = apply(plain, `1;38;2;${index >> 16};${(index >> 8) & 255};${index & 255}`);
  }
  expect(last).toBe(apply(plain, '1'));
  expect(last).toBeLessThan(0x10000);
});

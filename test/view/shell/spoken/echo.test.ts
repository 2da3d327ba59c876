import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Echo, echoStep, noEcho } from '../../../../source/view/shell/spoken/echo.ts';
import type { HeardField } from '../../../../source/view/shell/spoken/heard.ts';
import { codePoint } from '../../../support/code-point.ts';

type Step = readonly [lines: readonly string[], text?: string, caret?: number];

function outputOf(...steps: readonly Step[]): string {
  let echo: Echo = noEcho;
  let output = '';
  for (const [lines, text, caret = text?.length ?? 0] of steps) {
    const field = text === undefined ? undefined : { label: 'Find: ', text, caret };
    const step = echoStep(echo, lines, field);
    ({ echo } = step);
    output += step.output;
  }
  return output;
}

describe('typed text', () => {
  test('is appended to its line, which ends with the field', () => {
    expect(outputOf([['box'], ''], [[], 'a'], [[], 'ab'], [['done']])).toBe(
      'box\nFind: ab\ndone\n',
    );
    expect(outputOf([[], 'a'], [[]])).toBe('Find: a\n');
  });

  test('is written anew where a character is removed or inserted', () => {
    expect(outputOf([[], ''], [[], 'ab'], [[], 'a'], [[], 'ax'])).toBe('Find: ab\nFind: ax');
    expect(outputOf([[], 'ab'], [[], 'ab', 0], [[], 'xab', 1])).toBe(
      'Find: ab\nbefore a\nFind: xab',
    );
  });

  test('continues on a line of its own after other lines', () => {
    expect(outputOf([[], 'a'], [['2 matches'], 'a'], [[], 'ab'])).toBe(
      'Find: a\n2 matches\nFind: ab',
    );
  });

  test('says the character under a caret that moves', () => {
    expect(outputOf([[], 'ab'], [[], 'ab', 1], [[], 'ab', 2])).toBe(
      'Find: ab\nbefore b\nend of the text\n',
    );
  });
});

test('a line of a megabyte is cut', () => {
  const output = outputOf([['x'.repeat(1_000_000)]]);
  expect(output.length).toBeLessThan(5000);
  expect(output).toMatch(/x, cut\n$/);
});

const text = fc.string({ unit: 'grapheme' });
const anyField: fc.Arbitrary<HeardField | undefined> = fc.option(
  text.chain((typed) =>
    fc.record({
      label: fc.constantFrom('a: ', 'b: '),
      text: fc.constant(typed),
      caret: fc.nat(typed.length),
    }),
  ),
  { nil: undefined },
);

test('the output only grows: no control character but line feeds, whatever is said and typed', () => {
  const steps = fc.array(
    fc.tuple(fc.array(fc.string({ unit: codePoint }), { maxLength: 2 }), anyField),
  );
  fc.assert(
    fc.property(steps, (all) => {
      let echo: Echo = noEcho;
      for (const [lines, field] of all) {
        const step = echoStep(echo, lines, field);
        ({ echo } = step);
        // eslint-disable-next-line no-control-regex
        expect(step.output).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
        expect(step.output.split('\n').length - 1).toBeLessThanOrEqual(lines.length + 2);
      }
    }),
  );
});

test('each said line stands on a line of its own', () => {
  const steps = fc.array(
    fc.tuple(fc.array(fc.constantFrom('one', 'two'), { maxLength: 2 }), anyField),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(steps, (all) => {
      let echo: Echo = noEcho;
      let output = '';
      for (const [lines, field] of all) {
        const step = echoStep(echo, lines, field);
        ({ echo } = step);
        output += step.output;
      }
      const said = all.flatMap(([lines]) => lines);
      const written = output.split('\n').filter((line) => line === 'one' || line === 'two');
      expect(written).toEqual(said);
    }),
  );
});

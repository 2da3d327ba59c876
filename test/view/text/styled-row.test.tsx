import chalk from 'chalk';
import * as fc from 'fast-check';
import { Text } from 'ink';
import { render } from 'ink-testing-library';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { styleLine, styleRow } from '../../../source/view/text/styled-row.ts';
import { encodeRow } from '../../../source/terminal/screen/cell-style.ts';
import type { ColourDepth } from '../../../source/terminal/screen/colour.ts';
import { type Line, span } from '../../../source/view/text/line.ts';
import type { Style } from '../../../source/view/text/theme.ts';
import { ObservedTerminal } from '../../e2e/harness-terminal.ts';

/** The colours that Ink is to draw with: it asks chalk, which has looked at the environment. */
const depth = '256';
const { level } = chalk;
beforeAll(() => {
  chalk.level = 2;
});
afterAll(() => {
  chalk.level = level;
});

function ansiText(line: Line, colours: ColourDepth, row?: Style): string {
  return encodeRow(styleRow(line, colours, row));
}

describe('a row as text with colour codes', () => {
  test('has none in a terminal without colours', () => {
    expect(ansiText([span('a', 'bad'), span('b')], 'none', { inverse: true })).toBe('ab');
  });

  test('has the style of the row, overridden by that of each span', () => {
    const text = ansiText([span('a', 'bad'), span('b')], '16', { inverse: true });
    expect(text).toBe('\x1b[7m\x1b[31ma\x1b[0m\x1b[7mb\x1b[0m');
  });

  test('of the cursor has one style over its full width, with the matches of a search', () => {
    const match = span('c', 'match');
    const line = [span('a', 'bad'), { text: 'b', style: { color: 'red' } }, match];
    const drawn = encodeRow(styleLine(line, 5, '16', { cursor: 'cursor' }));
    const inverse = (text: string) => `\x1b[7m${text}\x1b[0m`;
    expect(drawn.startsWith(inverse('a') + inverse('b'))).toBe(true);
    expect(drawn).toContain('\x1b[30m\x1b[43mc');
    expect(drawn.endsWith(inverse('  '))).toBe(true);
  });

  test('uses the nearest colour of the terminal', () => {
    const red = [{ text: 'x', style: { color: '#ff0000', backgroundColor: 'ansi256(196)' } }];
    expect(ansiText(red, 'true')).toBe('\x1b[38;2;255;0;0m\x1b[48;5;196mx\x1b[0m');
    expect(ansiText(red, '256')).toBe('\x1b[38;5;196m\x1b[48;5;196mx\x1b[0m');
    expect(ansiText(red, '16')).toBe('\x1b[91m\x1b[101mx\x1b[0m');
  });
});

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const colour = fc.oneof(
  fc.constantFrom(...names, ...names.map((name) => `${name}Bright`)),
  fc.nat({ max: 255 }).map((index) => `ansi256(${index})`),
  fc.nat({ max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`),
);
const flag = fc.option(fc.boolean(), { nil: undefined });
const style: fc.Arbitrary<Style> = fc.record({
  color: fc.option(colour, { nil: undefined }),
  backgroundColor: fc.option(colour, { nil: undefined }),
  bold: flag,
  dim: flag,
  italic: flag,
  underline: flag,
  inverse: flag,
});

test('a styled row looks as Ink draws it', async () => {
  await fc.assert(
    fc.asyncProperty(style, async (one) => {
      const { lastFrame, unmount } = render(
        <Text {...one} dimColor={one.dim}>
          x
        </Text>,
      );
      const ink = await cellOf(lastFrame() ?? '');
      unmount();
      expect(await cellOf(ansiText([{ text: 'x', style: one }], depth))).toEqual(ink);
    }),
    { numRuns: 40 },
  );
});

async function cellOf(text: string) {
  const terminal = new ObservedTerminal(2, 1);
  await terminal.write(text);
  const cell = terminal.cell(0, 0);
  terminal.dispose();
  return cell;
}

import chalk from 'chalk';
import * as fc from 'fast-check';
import { Text } from 'ink';
import { render } from 'ink-testing-library';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outsideStyle } from '../../../source/view/text/outside-style.ts';
import { styleLine, styleRow } from '../../../source/view/text/styled-row.ts';
import { encodeRow } from '../../../source/terminal/screen/cell-style.ts';
import { type Line, span } from '../../../source/view/text/line.ts';
import type { RowToken, Style, Theme } from '../../../source/view/text/theme.ts';
import { themeOf } from '../../support/themes.ts';
import { ObservedTerminal } from '../../e2e/harness-terminal.ts';

/** The colours that Ink is to draw with: it asks chalk, which has looked at the environment. */
const { level } = chalk;
beforeAll(() => {
  chalk.level = 2;
});
afterAll(() => {
  chalk.level = level;
});

function ansiText(line: Line, theme: Theme, row?: RowToken): string {
  return encodeRow(styleRow(line, theme, row));
}

const ansi = themeOf('auto', '16');
const palette = themeOf('auto', '256');

describe('a row as text with colour codes', () => {
  test('has attributes only in a terminal without colours', () => {
    const mono = themeOf('dark', 'none');
    const red = { text: 'c', style: { color: 'red', bold: true } };
    expect(ansiText([span('a', 'bad'), span('b'), red], mono)).toBe('ab\x1b[1mc\x1b[0m');
    expect(ansiText([span('a', 'bad')], mono, 'cursor')).toBe('\x1b[7ma\x1b[0m');
    const marked = ['match', 'alert', 'danger', 'focus', 'mark'] as const;
    expect(
      ansiText(
        marked.map((token) => span('x', token)),
        mono,
      ),
    ).toBe('\x1b[4mx\x1b[0m\x1b[1mx\x1b[0m\x1b[1mx\x1b[0mxx');
  });

  test('writes text in the default colour, without codes', () => {
    for (const theme of ['auto', 'dark', 'light', 'contrast', 'mono'] as const) {
      expect(ansiText([span('a', 'text'), span('b')], themeOf(theme, '256'))).toBe('ab');
    }
  });

  test('has one style over the full width of the cursor, except for the matches of a search', () => {
    const match = span('c', 'match');
    const line = [span('a', 'bad'), { text: 'b', style: { color: 'red' } }, match];
    const drawn = encodeRow(styleLine(line, 5, ansi, 'cursor'));
    const inverse = (text: string) => `\x1b[7m${text}\x1b[0m`;
    expect(drawn.startsWith(inverse('a') + inverse('b'))).toBe(true);
    expect(drawn).toContain('\x1b[30m\x1b[43mc');
    expect(drawn.endsWith(inverse('  '))).toBe(true);
  });

  test('keeps colours over an underlined cursor of a pane without the focus', () => {
    expect(ansiText([span('a', 'bad')], ansi, 'cursor-off')).toBe('\x1b[4m\x1b[35ma\x1b[0m');
  });

  test('shows the palette of 256, and true colours only on request', () => {
    const one = [span('a', 'bad')];
    const more = { background: 'dark' } as const;
    expect(ansiText(one, themeOf('auto', 'true', more))).toBe('\x1b[38;5;210ma\x1b[0m');
    expect(ansiText(one, themeOf('auto', 'true', { ...more, hasTrueColour: true }))).toBe(
      '\x1b[38;2;255;143;136ma\x1b[0m',
    );
  });

  test('uses the nearest colour of the terminal', () => {
    const red = [{ text: 'x', style: { color: '#ff0000', backgroundColor: 'ansi256(16)' } }];
    const exact = themeOf('auto', 'true', { hasTrueColour: true });
    expect(ansiText(red, exact)).toBe('\x1b[38;2;255;0;0m\x1b[48;5;16mx\x1b[0m');
    expect(ansiText(red, palette)).toBe('\x1b[38;5;196m\x1b[48;5;16mx\x1b[0m');
    expect(ansiText(red, ansi)).toBe('\x1b[91m\x1b[40mx\x1b[0m');
  });
});

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const colour = fc.oneof(
  fc.constantFrom(...names, ...names.map((name) => `${name}Bright`)),
  // Ink has another nearest colour for other ones.
  fc.nat({ max: 255 }).map((index) => `ansi256(${index})`),
);
const flag = fc.option(fc.boolean(), { nil: undefined });
const style: fc.Arbitrary<Style> = fc.record({
  color: fc.option(colour, { nil: undefined }),
  backgroundColor: fc.option(colour, { nil: undefined }),
  bold: flag,
  italic: flag,
  underline: flag,
  inverse: flag,
});
/** A theme replaces colours that may be hard to read, and those of the terminal. */
const keptStyle = style.filter((one) => {
  const { color, backgroundColor } = outsideStyle(one, palette);
  return color === one.color && backgroundColor === one.backgroundColor;
});

test('a styled row looks as Ink draws it', async () => {
  await fc.assert(
    fc.asyncProperty(keptStyle, async (one) => {
      const { lastFrame, unmount } = render(<Text {...one}>x</Text>);
      const ink = await cellOf(lastFrame() ?? '');
      unmount();
      expect(await cellOf(ansiText([{ text: 'x', style: one }], palette))).toEqual(ink);
    }),
    { numRuns: 20 },
  );
});

async function cellOf(text: string) {
  const terminal = new ObservedTerminal(2, 1);
  await terminal.write(text);
  const cell = terminal.cell(0, 0);
  terminal.dispose();
  return cell;
}

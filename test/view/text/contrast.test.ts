import { afterAll, describe, expect, test } from 'vitest';
import type { ThemeChoice } from '../../../source/store/deck/screen/appearance.ts';
import { renderRow } from '../../../source/terminal/screen/cell-row.ts';
import { Ground } from '../../../source/terminal/screen/screen.ts';
import { contrastRatio } from '../../../source/terminal/screen/luminance.ts';
import { paletteHex } from '../../../source/terminal/screen/palette.ts';
import { ShownScreen } from '../../../source/terminal/screen/shown-screen.ts';
import { kindLook, type Theme, type Token, tokens } from '../../../source/view/text/theme.ts';
import type { Line } from '../../../source/view/text/line.ts';
import { styleRow } from '../../../source/view/text/styled-row.ts';
import { type Cell, ObservedTerminal } from '../../e2e/harness-terminal.ts';
import { themeOf } from '../../support/themes.ts';

/** Backgrounds of popular colour schemes, from black to Nord and from white to Solarized. */
const darkGrounds = ['#000000', '#1e1e1e', '#1a1b26', '#282c34', '#282a36', '#2e3440'];
const lightGrounds = ['#ffffff', '#fafafa', '#f6f8fa', '#fdf6e3', '#eee8d5'];

/** The first 16 colours of xterm. */
const basic = (
  '000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 ' +
  '7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff'
).split(' ');

/** A terminal's own text colour, and the backgrounds on which it is read. */
interface Ground16 {
  readonly text: string;
  readonly grounds: readonly string[];
}

const onDark: Ground16 = { text: '#e6e6e6', grounds: darkGrounds };
const onLight: Ground16 = { text: '#1f2328', grounds: lightGrounds };
const onBlack: Ground16 = { text: '#ffffff', grounds: ['#000000'] };
const onWhite: Ground16 = { text: '#000000', grounds: ['#ffffff'] };
/** Two terminals that don't tell their background. */
const unknown = [onBlack, onWhite];

/** Ratios of the design by role: exact, and with 16 colours; for contrast exact alone. */
const figures: readonly (readonly [Token, dark: number, number, light: number, number, number])[] =
  [
    ['text', 10, 21, 12.9, 21, 21],
    ['quiet', 5.7, 16.7, 5.2, 21, 13.6],
    ['good', 7.2, 15.3, 5.4, 21, 16.3],
    ['busy', 7.4, 19.6, 5.9, 4.7, 16.1],
    ['bad', 5.7, 5.3, 5.6, 5.8, 10.7],
    ['info', 7, 16.7, 6.2, 9.4, 14.6],
    ['mark', 6.3, 6.7, 6, 4.7, 13],
    ['focus', 6.2, 16.7, 6.2, 9.4, 19.6],
    ['cursor', 6.4, 16.7, 7.6, 9.4, 19.6],
    ['cursor-off', 9.8, 21, 10.9, 21, 10.4],
    ['select', 7.4, 4.7, 7.3, 4.7, 13],
    ['match', 15.1, 19.6, 16, 19.6, 16.7],
    ['alert', 6.9, 5.8, 6.9, 5.8, 8.4],
    ['danger', 5.7, 5.3, 5.6, 5.8, 10.7],
  ];

describe('the lowest contrast of a role is that of the design', () => {
  test.each(figures)('%s', async (token, dark, dark16, light, light16, contrast) => {
    const exact = (theme: ThemeChoice) => themeOf(theme, 'true', { hasTrueColour: true });
    const lowest = async (theme: Theme, ground: Ground16) =>
      Number((await lowestContrast([{ text: 'x', token }], theme, ground)).toFixed(1));
    expect(await lowest(exact('dark'), onDark)).toBe(dark);
    expect(await lowest(themeOf('dark', '16'), onBlack)).toBe(dark16);
    expect(await lowest(exact('light'), onLight)).toBe(light);
    expect(await lowest(themeOf('light', '16'), onWhite)).toBe(light16);
    // It paints its own ground, whatever the terminal's background is.
    expect(await lowest(exact('contrast'), { text: '#777777', grounds: ['#888888'] })).toBe(
      contrast,
    );
  });
});

const legible = 4.5;

const conditions: readonly (readonly [string, Theme, Ground16])[] = [
  ['dark in 256 colours', themeOf('dark', '256'), onDark],
  ['dark in 16 colours', themeOf('dark', '16'), onBlack],
  ['light in 256 colours', themeOf('light', '256'), onLight],
  ['light in 16 colours', themeOf('light', '16'), onWhite],
  ['contrast in 256 colours', themeOf('contrast', '256'), onDark],
  ['contrast in 16 colours', themeOf('contrast', '16'), onWhite],
];

describe.each(conditions)('%s', (_, theme, ground) => {
  test.each(tokens)('%s can be read', async (token) => {
    expect(await lowestContrast([{ text: 'x', token }], theme, ground)).toBeGreaterThan(legible);
  });

  test.each(['keyword', 'string', 'number', 'comment', 'name', 'type', 'link', 'invalid'])(
    'a %s of source text can be read',
    async (kind) => {
      const line = [{ text: 'x', ...kindLook(kind) }];
      expect(await lowestContrast(line, theme, ground)).toBeGreaterThan(legible);
    },
  );

  test('every role can be read in the row of a cursor, and none is dim', async () => {
    for (const row of ['cursor', 'cursor-off', 'quiet'] as const) {
      for (const token of tokens) {
        const cell = await cellOf([{ text: 'x', token }], theme, row);
        expect(cell.dim).toBe(false);
        expect(contrastOf(cell, ground)).toBeGreaterThan(legible);
      }
    }
  });

  test.each(['black', 'white', 'blue', 'yellowBright', 'ansi256(18)', 'ansi256(229)', '#444444'])(
    'a log line that is %s can be read',
    async (color) => {
      const line = [{ text: 'x', style: { color, dim: true } }];
      expect((await cellOf(line, theme)).dim).toBe(false);
      expect(await lowestContrast(line, theme, ground)).toBeGreaterThan(legible);
    },
  );
});

/** Contrast that a colour can have on white and on black alike; 4.58 is the most. */
const legibleOnBoth = 4.2;

const neutralThemes: readonly (readonly [string, Theme])[] = [
  ['in any colour', themeOf('auto', 'true', { hasTrueColour: true })],
  ['in 256 colours', themeOf('auto', '256')],
  ['in 16 colours', themeOf('auto', '16')],
  ['without colours', themeOf('auto', 'none')],
];

describe.each(neutralThemes)('on an unknown background %s', (_, theme) => {
  const leastOnBoth = async (line: Line, row?: 'cursor' | 'cursor-off' | 'quiet') => {
    const cell = await cellOf(line, theme, row);
    expect(cell.dim).toBe(false);
    return Math.min(...unknown.map((ground) => contrastOf(cell, ground)));
  };

  test.each(tokens)('%s can be read on white and on black', async (token) => {
    for (const row of [undefined, 'cursor', 'cursor-off', 'quiet'] as const) {
      expect(await leastOnBoth([{ text: 'x', token }], row)).toBeGreaterThan(legibleOnBoth);
    }
  });

  test('a log line in its own colours can be read on white and on black', async () => {
    const named = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
    const bright = named.map((name) => `${name}Bright`);
    const others = ['ansi256(18)', 'ansi256(28)', 'ansi256(229)', '#444444', '#d6433b', '#ffffff'];
    for (const color of [...named, ...bright, ...others]) {
      const line = [{ text: 'x', style: { color, dim: true } }];
      expect(await leastOnBoth(line)).toBeGreaterThan(legibleOnBoth);
    }
  });
});

const everyTheme = [...conditions, ...neutralThemes].map(([name, theme]) => ({ name, theme }));

describe.each(everyTheme)('a line with a background of its own, $name', ({ theme }) => {
  const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
  const backgrounds = [
    ...names,
    ...names.map((name) => `${name}Bright`),
    'ansi256(208)',
    '#7f7f7f',
  ];

  test.each(backgrounds)('can be read on %s', async (backgroundColor) => {
    for (const color of [undefined, ...names, 'blueBright', 'ansi256(18)', '#444444']) {
      const cell = await cellOf([{ text: 'x', style: { color, backgroundColor } }], theme);
      if (theme.depth === 'none') expect(cell.backgroundColor).toBeUndefined();
      else {
        const [text, ground] = [exactColour(cell.color), exactColour(cell.backgroundColor)];
        expect(contrastRatio(text ?? '', ground ?? '')).toBeGreaterThan(legibleOnBoth);
        // Only the colours from 16 on are the same in all terminals.
        const own = [cell.color, cell.backgroundColor].map((one) => Number(one) < 16);
        expect(own).toEqual(theme.depth === '16' ? [true, true] : [false, false]);
      }
    }
  });
});

test.each(conditions)('bold text in its own colour can be read: %s', async (_, theme, ground) => {
  for (const color of ['black', 'red', 'blue', 'magenta', 'white']) {
    const line = [{ text: 'x', style: { color, bold: true } }];
    expect(await lowestContrast(line, theme, ground)).toBeGreaterThan(legible);
  }
});

test('the roles of a state and its trouble differ on an unknown background in 256 colours', () => {
  const { styles } = themeOf('auto', '256');
  const shown = (['good', 'busy', 'bad', 'info', 'mark', 'quiet'] as const).map(
    (token) => styles[token].color,
  );
  expect(new Set(shown).size).toBe(shown.length);
});

async function lowestContrast(line: Line, theme: Theme, ground: Ground16): Promise<number> {
  return contrastOf(await cellOf(line, theme), ground);
}

/** A terminal of its own for each of the 3,000 cells would take most of the time. */
const terminal = new ObservedTerminal(2, 1);
afterAll(() => terminal.dispose());

/** Draws a line as the console does, and returns the first cell that a terminal then shows. */
async function cellOf(line: Line, theme: Theme, row?: 'cursor' | 'cursor-off' | 'quiet') {
  const traits = { hasSynchronizedOutput: false, canEraseCharacters: true, canMoveToColumn: true };
  const drawn = [renderRow(styleRow(line, theme, row), 2)];
  const rows = theme.ground === undefined ? drawn : new Ground(theme.ground).rows(drawn);
  await terminal.write(`\x1bc${new ShownScreen(2, 1, traits).draw(rows).bytes}`);
  return terminal.cell(0, 0);
}

/** Returns the lowest ratio of a cell on the backgrounds of a terminal. */
function contrastOf(cell: Cell, { text, grounds }: Ground16) {
  const { color, backgroundColor, inverse } = cell;
  // Many terminals draw bold text of these in the bright colours.
  if (typeof color === 'number' && color < 8) expect(cell.bold).toBe(false);
  const ratios = grounds.map((background) => {
    const pair = [exactColour(color) ?? text, exactColour(backgroundColor) ?? background] as const;
    // Inverse swaps two colours of which both or none are the terminal's own.
    if (inverse) expect(color === undefined).toBe(backgroundColor === undefined);
    return contrastRatio(...pair);
  });
  return Math.min(...ratios);
}

function exactColour(colour: Cell['color']): string | undefined {
  if (typeof colour !== 'number') return colour;
  return colour < 16 ? `#${basic[colour]}` : paletteHex(colour);
}

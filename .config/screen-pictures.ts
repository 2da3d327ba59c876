/**
 * Draws screens of the console as SVG, for the README. The rows and roles are those of
 * test/fixtures/screens, which the program shows in a terminal, or test/e2e/screens.test.ts fails; the
 * colours are those of its themes.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { resolveTheme } from '../source/view/text/resolve-theme.ts';
import type { Style } from '../source/view/text/theme.ts';
import { tokens } from '../source/view/text/theme.ts';
import { stringWidth } from '../source/terminal/screen/string-width.ts';
import { roleLetters } from '../test/e2e/screens/role-letters.ts';

export const backgrounds = ['dark', 'light'] as const;
type Background = (typeof backgrounds)[number];

/** A fixture of test/fixtures/screens, and one of its sizes. */
interface Picture {
  readonly name: string;
  readonly size: '80x24' | '120x36';
}

/** The screens of the README. */
export const pictured: readonly Picture[] = [
  { name: 'start', size: '120x36' },
  { name: 'countdown', size: '120x36' },
  { name: 'log', size: '120x36' },
  { name: 'create', size: '120x36' },
  { name: 'grants', size: '120x36' },
];

/** Colours of a terminal around those of the theme. */
const terminals = {
  dark: { ground: '#16191f', text: '#e6e6e6' },
  light: { ground: '#ffffff', text: '#1f2328' },
} as const satisfies Record<Background, unknown>;

/** Size of a cell and margin of the picture, in the SVG's units. */
const cell = { width: 8, height: 18 } as const;
const baseline = 13.5;
const margin = 12;

const fonts = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** Neighbouring cells in one style. */
interface Run {
  readonly column: number;
  readonly width: number;
  readonly text: string;
  readonly letter: string;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the picture of a fixture's screen as an SVG document. */
export function drawPicture({ name, size }: Picture, background: Background, root: string): string {
  const file = path.join(root, `test/fixtures/screens/${name}.json`);
  const { screens } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly screens: Readonly<Record<string, readonly string[]>>;
  };
  return drawScreen(screens[size] ?? [], Number.parseInt(size, 10), background);
}

/**
 * Returns a screen as an SVG document.
 * @param screen of a fixture: each row as text, followed by the letters of its cells' roles.
 * @param columns of the terminal.
 */
export function drawScreen(
  screen: readonly string[],
  columns: number,
  background: Background,
): string {
  const theme = resolveTheme({
    theme: 'auto',
    background,
    hasTrueColour: true,
    colours: 'true',
  });
  const styles = new Map(tokens.map((token) => [roleLetters[token], theme.styles[token]]));
  const rows = screen.length / 2;
  const width = columns * cell.width + 2 * margin;
  const height = rows * cell.height + 2 * margin;
  const { ground, text } = terminals[background];
  const parts = Array.from({ length: rows }, (_, row) =>
    runsOf(screen[2 * row] ?? '', screen[2 * row + 1] ?? '', columns)
      .map((run) => drawRun(run, row, styles.get(run.letter) ?? {}))
      .join(''),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="${ground}"/>`,
    `<g font-family="${fonts}" font-size="13.3" fill="${text}">`,
    ...parts.filter((part) => part !== ''),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** Returns a row as runs of cells in one role; a wide character has two cells. */
function runsOf(text: string, letters: string, columns: number): readonly Run[] {
  const runs: Run[] = [];
  let column = 0;
  const add = (piece: string, width: number): void => {
    const letter = letters[column] ?? roleLetters.text;
    const last = runs.at(-1);
    if (last?.letter === letter) {
      runs[runs.length - 1] = { ...last, width: last.width + width, text: last.text + piece };
    } else {
      runs.push({ column, width, text: piece, letter });
    }
    column += width;
  };
  for (const { segment } of graphemes.segment(text)) add(segment, stringWidth(segment));
  while (column < Math.min(columns, letters.length)) add(' ', 1);
  return runs;
}

function drawRun({ column, width, text, letter }: Run, row: number, style: Style): string {
  const x = margin + column * cell.width;
  const y = margin + row * cell.height;
  const { backgroundColor } = style;
  const ground =
    backgroundColor === undefined
      ? ''
      : `<rect x="${x}" y="${y}" width="${width * cell.width}" height="${cell.height}" fill="${backgroundColor}"/>`;
  const fill = style.color === undefined ? '' : ` fill="${style.color}"`;
  const weight = style.bold === true ? ' font-weight="bold"' : '';
  const line = style.underline === true ? ' text-decoration="underline"' : '';
  const look = letter === roleLetters.text ? '' : fill + weight + line;
  // Words far apart have places of their own: some programs draw a font's own widths.
  const words = [...text.matchAll(/\S+(?: \S+)*/g)].map((match) => {
    const left = x + stringWidth(text.slice(0, match.index)) * cell.width;
    const length = stringWidth(match[0]) * cell.width;
    return (
      `<text x="${left}" y="${y + baseline}" textLength="${length}" ` +
      `lengthAdjust="spacingAndGlyphs"${look}>${escaped(match[0])}</text>`
    );
  });
  return ground + words.join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

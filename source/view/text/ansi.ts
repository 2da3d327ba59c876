import ansiStyles from 'ansi-styles';
import type { ColourDepth } from '../../terminal/screen/colour.ts';
import type { Span } from './line.ts';
import { type Style, styles } from './theme.ts';

const reset = '\x1b[0m';

/** Spans as text with SGR, each in the style of its token over that of the row. */
export function ansiText(spans: readonly Span[], depth: ColourDepth, row?: Style): string {
  return spans.map((part) => styled(part, depth, row)).join('');
}

function styled({ text, token, style }: Span, depth: ColourDepth, row: Style | undefined): string {
  // Underlined is not coloured, and nothing else tells a match from the text around it.
  if (depth === 'none' && token === 'match') return `${ansiStyles.underline.open}${text}${reset}`;
  if (depth === 'none' || text === '') return text;
  if (token === undefined && style === undefined && row === undefined) return text;
  const codes = sgr({ ...row, ...(token === undefined ? {} : styles[token]), ...style }, depth);
  return codes === '' ? text : codes + text + reset;
}

function sgr(style: Style, depth: ColourDepth): string {
  const { color, backgroundColor } = style;
  return [
    style.bold === true ? ansiStyles.bold.open : '',
    style.dimColor === true ? ansiStyles.dim.open : '',
    style.italic === true ? ansiStyles.italic.open : '',
    style.underline === true ? ansiStyles.underline.open : '',
    style.inverse === true ? ansiStyles.inverse.open : '',
    color === undefined ? '' : colourCode(color, ansiStyles.color, depth),
    backgroundColor === undefined ? '' : colourCode(backgroundColor, ansiStyles.bgColor, depth),
  ].join('');
}

type Ground = typeof ansiStyles.color | typeof ansiStyles.bgColor;

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/** A named colour, `ansi256(n)` or `#rrggbb`, as the nearest one that the terminal has. */
function colourCode(colour: string, ground: Ground, depth: ColourDepth): string {
  const [, name = '', bright] = /^([a-z]+)(Bright)?$/.exec(colour) ?? [];
  if (names.includes(name)) return ground.ansi((bright ? 90 : 30) + names.indexOf(name));
  const [, index] = /^ansi256\((\d+)\)$/.exec(colour) ?? [];
  if (index !== undefined) {
    return depth === '16'
      ? ground.ansi(ansiStyles.ansi256ToAnsi(Number(index)))
      : ground.ansi256(Number(index));
  }
  if (depth === 'true') return ground.ansi16m(...ansiStyles.hexToRgb(colour));
  return depth === '16'
    ? ground.ansi(ansiStyles.hexToAnsi(colour))
    : ground.ansi256(ansiStyles.hexToAnsi256(colour));
}

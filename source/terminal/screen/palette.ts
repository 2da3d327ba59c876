import ansiStyles from 'ansi-styles';
import type { ColourDepth } from './colour.ts';
import { colourNames, type TextStyle } from './sgr.ts';

/** The 256 colours of xterm. Programs can rely on 16 to 255; terminals give the first 16 their own. */

/** Levels of the cube of colours 16 to 231. */
const levels = [0, 95, 135, 175, 215, 255] as const;

const firstGrey = 232;

/** The first 16 as xterm has them: each name, then its bright one. */
const namedColours: Readonly<Record<string, readonly [string, string]>> = {
  black: ['#000000', '#7f7f7f'],
  red: ['#cd0000', '#ff0000'],
  green: ['#00cd00', '#00ff00'],
  yellow: ['#cdcd00', '#ffff00'],
  blue: ['#0000ee', '#5c5cff'],
  magenta: ['#cd00cd', '#ff00ff'],
  cyan: ['#00cdcd', '#00ffff'],
  white: ['#e5e5e5', '#ffffff'],
};

/** Returns a colour of SGR (`red`, `redBright`, `ansi256(208)`, `#rrggbb`) as xterm shows it: `#rrggbb`. */
export function exactColour(colour: string): string {
  const [, index] = /^ansi256\((\d+)\)$/.exec(colour) ?? [];
  if (index !== undefined) return paletteHex(Number(index));
  const isBright = colour.endsWith('Bright');
  return namedColours[colour.replace(/Bright$/, '')]?.[isBright ? 1 : 0] ?? colour;
}

/** Returns colour 16 to 255 of the palette as `#rrggbb`. */
export function paletteHex(index: number): string {
  return `#${componentsOf(index)
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`;
}

function componentsOf(index: number): readonly number[] {
  if (index >= firstGrey) {
    const grey = 8 + 10 * (index - firstGrey);
    return [grey, grey, grey];
  }
  const cube = index - 16;
  return [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((at) => levels[at] ?? 0);
}

/** Returns the colour from 16 to 255 that is nearest to `#rrggbb`. */
export function nearestInPalette(colour: string): number {
  const wanted = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  let nearest = 16;
  let least = Number.POSITIVE_INFINITY;
  for (let index = 16; index < 256; index++) {
    let distance = 0;
    for (const [at, value] of componentsOf(index).entries()) {
      distance += (value - (wanted[at] ?? 0)) ** 2;
    }
    if (distance >= least) continue;
    least = distance;
    nearest = index;
  }
  return nearest;
}

/** Colours from outside may be any, so only so many are remembered. */
const memoCapacity = 1000;
const nearest = new Map<string, string>();

/** Returns the style in the nearest colours that a terminal of this depth has. */
export function reduceColours(style: TextStyle, depth: Exclude<ColourDepth, 'none'>): TextStyle {
  const { color, backgroundColor } = style;
  if (color === undefined && backgroundColor === undefined) return style;
  return {
    ...style,
    color: color && nearestColour(color, depth),
    backgroundColor: backgroundColor && nearestColour(backgroundColor, depth),
  };
}

function nearestColour(colour: string, depth: Exclude<ColourDepth, 'none'>): string {
  const [, index] = /^ansi256\((\d+)\)$/.exec(colour) ?? [];
  if (index !== undefined) {
    return depth === '16' ? namedColour(ansiStyles.ansi256ToAnsi(Number(index))) : colour;
  }
  if (depth === 'true' || !colour.startsWith('#')) return colour;
  if (depth === '16') return namedColour(ansiStyles.hexToAnsi(colour));
  const known = nearest.get(colour) ?? `ansi256(${nearestInPalette(colour)})`;
  if (nearest.size >= memoCapacity) nearest.clear();
  nearest.set(colour, known);
  return known;
}

/** The name of the colour with SGR code 30 to 37 or 90 to 97. */
function namedColour(code: number): string {
  return code < 90 ? (colourNames[code - 30] ?? '') : `${colourNames[code - 90]}Bright`;
}

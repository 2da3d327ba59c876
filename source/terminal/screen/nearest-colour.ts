import ansiStyles from 'ansi-styles';
import type { ColourDepth } from './colour.ts';
import { nearestInPalette } from './palette.ts';
import { colourNames, type TextStyle } from './sgr.ts';

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

import { contrastRatio } from '../../terminal/screen/luminance.ts';
import { reduceColours } from '../../terminal/screen/nearest-colour.ts';
import { paletteHex } from '../../terminal/screen/palette.ts';
import type { TextStyle } from '../../terminal/screen/sgr.ts';
import type { Style, Theme, Token } from './theme.ts';

/** Roles with the hue of a colour that terminals show in shades of their own. */
const roles: Readonly<Record<string, Token>> = {
  black: 'quiet',
  red: 'bad',
  green: 'good',
  yellow: 'busy',
  blue: 'focus',
  magenta: 'mark',
  cyan: 'info',
  white: 'text',
};

/** Contrast that a text needs on any background (WCAG 2.2, 1.4.3). */
const leastContrast = 4.5;

/**
 * Returns a style of a line from outside as the theme shows it. A text colour without a background
 * takes the shade of the role with its hue, and one that could not be read is dropped.
 */
export function outsideStyle(style: TextStyle, theme: Theme): Style {
  const { bold, italic, underline, inverse, color, backgroundColor, dim } = style;
  const attributes: Style = definedOnly({ bold, italic, underline, inverse });
  if (theme.depth === 'none') return attributes;
  if (backgroundColor !== undefined) {
    return { ...attributes, ...reduceColours({ color, backgroundColor }, theme.depth) };
  }
  if (color === undefined)
    return dim === true ? { ...attributes, ...theme.styles.quiet } : attributes;
  if (theme.hardest === undefined)
    return { ...attributes, ...reduceColours({ color }, theme.depth) };
  const role = roles[color.replace(/Bright$/, '')];
  const shown = role === undefined ? readableColour(color, theme) : theme.styles[role].color;
  return shown === undefined ? attributes : { ...attributes, color: shown };
}

function definedOnly(style: Style): Style {
  const entries = Object.entries(style).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? plain : Object.fromEntries(entries);
}

const plain: Style = {};

/** Returns a colour of the theme's depth, or undefined where it could not be read. */
function readableColour(colour: string, { hardest, depth }: Theme): string | undefined {
  if (depth === 'none' || hardest === undefined) return undefined;
  const [, index] = /^ansi256\((\d+)\)$/.exec(colour) ?? [];
  const exact = index === undefined ? colour : paletteHex(Number(index));
  if (contrastRatio(exact, hardest) < leastContrast) return undefined;
  return reduceColours({ color: colour }, depth).color;
}

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

/** Contrast that a text needs (WCAG 2.2, 1.4.3); hardly any colour has it on white and on black. */
const leastContrast = 4.5;
const leastOnBoth = 4.2;

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
  const isUnknown = hardest.length > 1;
  // The nearest of the 16 may be readable on one of the backgrounds only.
  if (depth === 'none' || (depth === '16' && isUnknown)) return undefined;
  const reduced = reduceColours({ color: colour }, depth).color;
  const [, index] = /^ansi256\((\d+)\)$/.exec((depth === '16' ? colour : reduced) ?? '') ?? [];
  const exact = index === undefined ? colour : paletteHex(Number(index));
  const least = isUnknown ? leastOnBoth : leastContrast;
  return hardest.some((ground) => contrastRatio(exact, ground) < least) ? undefined : reduced;
}

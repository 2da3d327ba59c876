import { backgroundTone, contrastRatio } from '../../terminal/screen/luminance.ts';
import { exactColour, reduceColours } from '../../terminal/screen/palette.ts';
import type { ColourDepth } from '../../terminal/screen/colour.ts';
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
 * takes the shade of the role with its hue, and one that could not be read is dropped. A background is
 * shown as xterm has it, with black or white text where the text's own colour could not be read on it.
 */
export function outsideStyle(style: TextStyle, theme: Theme): Style {
  const { bold, italic, underline, inverse, color, backgroundColor, dim } = style;
  const attributes: Style = definedOnly({ bold, italic, underline, inverse });
  if (theme.depth === 'none') return attributes;
  if (backgroundColor !== undefined) {
    return { ...attributes, ...readablePair(color, backgroundColor, theme.depth) };
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

/** Returns a background and a text colour that can be read on it. */
function readablePair(
  color: string | undefined,
  backgroundColor: string,
  depth: Exclude<ColourDepth, 'none'>,
): Style {
  const ground = shownColour(backgroundColor, depth);
  const text = color && shownColour(color, depth);
  const exactGround = exactColour(ground);
  const isReadable =
    text !== undefined && contrastRatio(exactColour(text), exactGround) >= leastContrast;
  if (isReadable) return { color: text, backgroundColor: ground };
  // Black or white has a contrast of 4.58 or more on any colour.
  const [white, black] =
    depth === '16' ? ['whiteBright', 'black'] : ['ansi256(231)', 'ansi256(16)'];
  return { color: backgroundTone(exactGround) === 'dark' ? white : black, backgroundColor: ground };
}

/** Returns a colour of this depth. A named one differs between terminals, so xterm's replaces it. */
function shownColour(colour: string, depth: Exclude<ColourDepth, 'none'>): string {
  const isNamed = /^[a-z]+$/i.test(colour);
  const steady = isNamed && depth !== '16' ? exactColour(colour) : colour;
  return reduceColours({ color: steady }, depth).color ?? steady;
}

/** Returns a colour of the theme's depth, or undefined where it could not be read. */
function readableColour(colour: string, { hardest, depth }: Theme): string | undefined {
  const isUnknown = hardest.length > 1;
  // The nearest of the 16 may be readable on one of the backgrounds only.
  if (depth === 'none' || (depth === '16' && isUnknown)) return undefined;
  const reduced = reduceColours({ color: colour }, depth).color ?? colour;
  const exact = exactColour(depth === '16' ? colour : reduced);
  const least = isUnknown ? leastOnBoth : leastContrast;
  return hardest.some((ground) => contrastRatio(exact, ground) < least) ? undefined : reduced;
}

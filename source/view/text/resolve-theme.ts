import type { AppearanceState } from '../../store/deck/screen/appearance.ts';
import type { ColourDepth } from '../../terminal/screen/colour.ts';
import { reduceColours } from '../../terminal/screen/palette.ts';
import { colourNames } from '../../terminal/screen/sgr.ts';
import {
  basicNeutralStyles,
  type ColouredTheme,
  contrastGround,
  monoStyles,
  neutralRed,
  neutralStyles,
  type RoleColours,
  themeColours,
} from './theme-colours.ts';
import { type Style, type Theme, type Token, tokens } from './theme.ts';

/** Settings and facts that decide on a theme. */
export interface ThemeConditions
  extends Pick<AppearanceState, 'theme' | 'background' | 'hasTrueColour'> {
  /** Colours that the terminal shows. */
  readonly colours: ColourDepth;
}

/** The backgrounds for which a theme is made that are hardest to read on. */
const hardest: Readonly<Record<ColouredTheme | 'neutral', readonly string[]>> = {
  dark: ['#2e3440'],
  light: ['#eee8d5'],
  contrast: ['#000000'],
  neutral: ['#ffffff', '#000000'],
};

const themes = new Map<string, Theme>();

/** A theme without any style, for a renderer without a terminal. */
export const plainTheme = ownColours(
  Object.fromEntries(tokens.map((token) => [token, {}])) as Theme['styles'],
  'none',
);

/** Returns the theme under these conditions; the same object each time. */
export function resolveTheme(conditions: ThemeConditions): Theme {
  const name = themeName(conditions);
  const depth = usedDepth(conditions);
  const key = `${name} ${depth}`;
  let theme = themes.get(key);
  if (theme === undefined) themes.set(key, (theme = createTheme(name, depth)));
  return theme;
}

/** A theme, where `neutral` is that of a terminal whose background is not known. */
type ResolvedName = ColouredTheme | 'mono' | 'neutral';

function themeName({ theme, background, colours }: ThemeConditions): ResolvedName {
  if (colours === 'none') return 'mono';
  return theme === 'auto' ? (background ?? 'neutral') : theme;
}

function usedDepth({ theme, colours, hasTrueColour }: ThemeConditions): ColourDepth {
  if (theme === 'mono' || colours === 'none') return 'none';
  return colours === 'true' && !hasTrueColour ? '256' : colours;
}

function createTheme(name: ResolvedName, depth: ColourDepth): Theme {
  if (name === 'mono' || depth === 'none') return ownColours(monoStyles, 'none');
  if (name === 'neutral') {
    return { depth, styles: neutralOf(depth), ground: undefined, hardest: hardest.neutral };
  }
  const colours = themeColours[name];
  const styleOf = (token: Token): Style => {
    if (token === 'text') return {};
    if (token === 'danger') return { ...roleStyle(colours.bad, depth), bold: true };
    const style = roleStyle(colours[token], depth);
    return token === 'focus' ? { ...style, bold: true } : style;
  };
  return {
    depth,
    styles: Object.fromEntries(tokens.map((token) => [token, styleOf(token)])) as Theme['styles'],
    ground: name === 'contrast' ? roleStyle(contrastGround, depth) : undefined,
    hardest: hardest[name],
  };
}

function neutralOf(depth: ColourDepth): Theme['styles'] {
  if (depth === '16') return basicNeutralStyles;
  if (depth !== 'true') return neutralStyles;
  const red = { color: neutralRed };
  return { ...neutralStyles, bad: red, danger: { ...red, bold: true } };
}

function ownColours(styles: Theme['styles'], depth: ColourDepth): Theme {
  return { depth, styles, ground: undefined, hardest: [] };
}

function roleStyle({ exact, basic }: RoleColours, depth: Exclude<ColourDepth, 'none'>): Style {
  if (depth !== '16') {
    const [color, backgroundColor] = typeof exact === 'string' ? [exact] : exact;
    return reduceColours({ color, backgroundColor }, depth);
  }
  if (basic === 'underline') return { underline: true };
  const [text, background] = typeof basic === 'number' ? [basic] : basic;
  return {
    color: basicColour(text),
    backgroundColor: background === undefined ? undefined : basicColour(background),
  };
}

/** Returns the name of a colour from 0 to 15. */
function basicColour(number: number): string | undefined {
  return number < 8 ? colourNames[number] : `${colourNames[number - 8]}Bright`;
}

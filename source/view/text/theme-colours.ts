import type { ThemeChoice } from '../../store/deck/screen/appearance.ts';
import type { Style, Token } from './theme.ts';

/** A text colour, or text on a background: `#rrggbb`, or a number from 0 to 15 of the terminal's own. */
export type Colours<Colour> = Colour | readonly [text: Colour, background: Colour];

/** The colours of a role: exact ones, and those of a terminal with 16. */
export interface RoleColours {
  readonly exact: Colours<string>;
  readonly basic: Colours<number> | 'underline';
}

/** The roles with colours; `text` has the terminal's own, and `danger` is a bold `bad`. */
type ColouredToken = Exclude<Token, 'text' | 'danger'>;

const dark: Readonly<Record<ColouredToken, RoleColours>> = {
  quiet: { exact: '#a8b0b8', basic: 7 },
  good: { exact: '#7fd88f', basic: 10 },
  busy: { exact: '#f0c060', basic: 11 },
  bad: { exact: '#ff8f88', basic: 9 },
  info: { exact: '#7ecbf5', basic: 14 },
  mark: { exact: '#e0a0ff', basic: 13 },
  focus: { exact: '#8ab8ff', basic: 14 },
  cursor: { exact: ['#ffffff', '#1f5fa8'], basic: [0, 7] },
  'cursor-off': { exact: ['#e6e6e6', '#30363d'], basic: 'underline' },
  select: { exact: ['#ffffff', '#6a3fa0'], basic: [15, 5] },
  match: { exact: ['#000000', '#ffd75f'], basic: [0, 11] },
  alert: { exact: ['#ffffff', '#b3141d'], basic: [15, 1] },
  'member-1': { exact: '#7fd88f', basic: 10 },
  'member-2': { exact: '#e0a0ff', basic: 13 },
  'member-3': { exact: '#f0c060', basic: 11 },
  'member-4': { exact: '#8ab8ff', basic: 14 },
  'member-5': { exact: '#5fd7d7', basic: 6 },
  'member-6': { exact: '#ffaf87', basic: 3 },
  'member-7': { exact: '#ffafd7', basic: 15 },
  'member-8': { exact: '#d7d787', basic: 2 },
};

const light: Readonly<Record<ColouredToken, RoleColours>> = {
  quiet: { exact: '#57606a', basic: 0 },
  good: { exact: '#0f6b2f', basic: 0 },
  busy: { exact: '#7a4d00', basic: 5 },
  bad: { exact: '#b3141d', basic: 1 },
  info: { exact: '#0550ae', basic: 4 },
  mark: { exact: '#7a2fb0', basic: 5 },
  focus: { exact: '#0a4fb3', basic: 4 },
  cursor: { exact: ['#ffffff', '#0550ae'], basic: [15, 4] },
  'cursor-off': { exact: ['#1f2328', '#d0d7de'], basic: 'underline' },
  select: { exact: ['#ffffff', '#7a2fb0'], basic: [15, 5] },
  match: { exact: ['#000000', '#ffdf5d'], basic: [0, 11] },
  alert: { exact: ['#ffffff', '#b3141d'], basic: [15, 1] },
  'member-1': { exact: '#0f6b2f', basic: 4 },
  'member-2': { exact: '#7a2fb0', basic: 5 },
  'member-3': { exact: '#7a4d00', basic: 0 },
  'member-4': { exact: '#0a4fb3', basic: 4 },
  'member-5': { exact: '#005f5f', basic: 5 },
  'member-6': { exact: '#875f00', basic: 0 },
  'member-7': { exact: '#87005f', basic: 4 },
  'member-8': { exact: '#5f5f00', basic: 5 },
};

const contrast: Readonly<Record<ColouredToken, RoleColours>> = {
  quiet: { exact: '#d0d0d0', basic: 7 },
  good: { exact: '#66ff99', basic: 10 },
  busy: { exact: '#ffe066', basic: 11 },
  bad: { exact: '#ff9f97', basic: 9 },
  info: { exact: '#8fe3ff', basic: 14 },
  mark: { exact: '#f0b8ff', basic: 13 },
  focus: { exact: '#ffff00', basic: 11 },
  cursor: { exact: ['#000000', '#ffff00'], basic: [0, 11] },
  'cursor-off': { exact: ['#ffffff', '#404040'], basic: 'underline' },
  select: { exact: ['#000000', '#f0b8ff'], basic: [0, 13] },
  match: { exact: ['#000000', '#00ffff'], basic: [0, 14] },
  alert: { exact: ['#ffffff', '#a00000'], basic: [15, 1] },
  'member-1': { exact: '#66ff99', basic: 10 },
  'member-2': { exact: '#f0b8ff', basic: 13 },
  'member-3': { exact: '#ffe066', basic: 11 },
  'member-4': { exact: '#8fe3ff', basic: 14 },
  'member-5': { exact: '#5fd7d7', basic: 6 },
  'member-6': { exact: '#ffaf87', basic: 3 },
  'member-7': { exact: '#ffafd7', basic: 15 },
  'member-8': { exact: '#d7d787', basic: 2 },
};

/** Themes with colours of their own. */
export type ColouredTheme = Exclude<ThemeChoice, 'auto' | 'mono'>;

/** Colours of the roles by theme. Contrasts of 4.5 and more are tested on many backgrounds. */
export const themeColours: Readonly<
  Record<ColouredTheme, Readonly<Record<ColouredToken, RoleColours>>>
> = { dark, light, contrast };

/** Text and background that `contrast` paints wherever the terminal's own would show. */
export const contrastGround: RoleColours = { exact: ['#ffffff', '#000000'], basic: [15, 0] };

/**
 * Styles on an unknown background: mid-tones with a contrast of 4.2 or more on white and on black.
 * Only few colours of the 256 have it, and none of them is a red.
 */
export const neutralStyles: Readonly<Record<Token, Style>> = {
  text: {},
  quiet: { color: 'ansi256(243)' },
  good: { color: 'ansi256(28)' },
  busy: { color: 'ansi256(130)' },
  bad: { color: 'ansi256(162)' },
  danger: { color: 'ansi256(162)', bold: true },
  info: { color: 'ansi256(30)' },
  mark: { color: 'ansi256(97)' },
  focus: { bold: true },
  cursor: { inverse: true },
  'cursor-off': { underline: true },
  select: { inverse: true },
  match: { color: 'ansi256(16)', backgroundColor: 'ansi256(221)' },
  alert: { color: 'ansi256(231)', backgroundColor: 'ansi256(124)' },
  'member-1': { color: 'ansi256(28)' },
  'member-2': { color: 'ansi256(97)' },
  'member-3': { color: 'ansi256(130)' },
  'member-4': { color: 'ansi256(63)' },
  'member-5': { color: 'ansi256(30)' },
  'member-6': { color: 'ansi256(131)' },
  'member-7': { color: 'ansi256(163)' },
  'member-8': { color: 'ansi256(64)' },
};

/** A red for terminals that show any colour. */
export const neutralRed = '#d6433b';

/** Like {@link neutralStyles} with 16 colours: of xterm's, 5 and 12 can be read on both. */
export const basicNeutralStyles: Readonly<Record<Token, Style>> = {
  text: {},
  quiet: {},
  good: {},
  busy: {},
  bad: { color: 'magenta' },
  danger: { bold: true },
  info: {},
  mark: { color: 'blueBright' },
  focus: { bold: true },
  cursor: { inverse: true },
  'cursor-off': { underline: true },
  select: { inverse: true },
  match: { color: 'black', backgroundColor: 'yellow' },
  alert: { color: 'whiteBright', backgroundColor: 'red' },
  'member-1': { color: 'magenta' },
  'member-2': { color: 'blueBright' },
  'member-3': {},
  'member-4': { underline: true },
  'member-5': { color: 'blueBright', bold: true },
  'member-6': { bold: true },
  'member-7': { color: 'magenta', underline: true },
  'member-8': { color: 'blueBright', underline: true },
};

/** Styles without colours; words and marks tell the rest. */
export const monoStyles: Readonly<Record<Token, Style>> = {
  text: {},
  quiet: {},
  good: {},
  busy: {},
  bad: {},
  danger: { bold: true },
  info: {},
  mark: {},
  focus: {},
  cursor: { inverse: true },
  'cursor-off': {},
  select: { inverse: true },
  match: { underline: true },
  alert: { bold: true },
  'member-1': {},
  'member-2': {},
  'member-3': {},
  'member-4': {},
  'member-5': {},
  'member-6': {},
  'member-7': {},
  'member-8': {},
};

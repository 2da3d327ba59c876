import type { TextStyle } from '../../terminal/screen/sgr.ts';

/** What a colour means (screens, section 5). Every meaning is also told by a word or a mark. */
export type Token =
  | 'focus'
  | 'cursor'
  | 'good'
  | 'busy'
  | 'bad'
  | 'prod'
  | 'info'
  | 'quiet'
  | 'match'
  | 'danger'
  | 'mark';

export type Style = Pick<
  TextStyle,
  'color' | 'backgroundColor' | 'bold' | 'dim' | 'inverse' | 'underline' | 'italic'
>;

/** The sixteen colours every terminal has; a terminal without colour gets none of this. */
export const styles: Readonly<Record<Token, Style>> = {
  focus: { bold: true },
  cursor: { inverse: true },
  good: { color: 'green' },
  busy: { color: 'yellow' },
  bad: { color: 'red' },
  prod: { color: 'white', backgroundColor: 'red' },
  info: { color: 'cyan' },
  quiet: { dim: true },
  match: { color: 'black', backgroundColor: 'yellow' },
  danger: { color: 'red', bold: true },
  mark: { color: 'magenta' },
};

/** Line-drawing characters of the chrome. */
export interface Glyphs {
  readonly horizontal: string;
  readonly vertical: string;
  readonly teeDown: string;
  readonly teeLeft: string;
  readonly topLeft: string;
  readonly topRight: string;
  readonly bottomLeft: string;
  readonly bottomRight: string;
  /** Stands where text is cut off. */
  readonly cut: string;
  /** Bars from none to full. */
  readonly bars: string;
}

export const unicodeGlyphs: Glyphs = {
  horizontal: '─',
  vertical: '│',
  teeDown: '┬',
  teeLeft: '┤',
  topLeft: '┌',
  topRight: '┐',
  bottomLeft: '└',
  bottomRight: '┘',
  cut: '…',
  bars: '▁▂▃▄▅▆▇█',
};

export const asciiGlyphs: Glyphs = {
  horizontal: '-',
  vertical: '|',
  teeDown: '+',
  teeLeft: '+',
  topLeft: '+',
  topRight: '+',
  bottomLeft: '+',
  bottomRight: '+',
  cut: '~',
  bars: '_.:-=+*#',
};

const stateTokens: Readonly<Record<string, Token>> = {
  active: 'good',
  running: 'good',
  ready: 'good',
  starting: 'busy',
  restarting: 'busy',
  pending: 'busy',
  deploying: 'busy',
  failed: 'bad',
  error: 'bad',
  crashed: 'bad',
  suspended: 'bad',
  closed: 'quiet',
  stopped: 'quiet',
  exited: 'quiet',
};

/** Colour of a deployment's or service's state word; words we do not know have none. */
export function stateToken(state: string | undefined): Token | undefined {
  return state === undefined ? undefined : stateTokens[state.toLowerCase()];
}

/** Kinds of words in a file's language. All of it is told by the text too. */
const kindStyles: Readonly<Record<string, Style>> = {
  keyword: { color: 'magenta' },
  string: { color: 'green' },
  number: { color: 'yellow' },
  literal: { color: 'yellow' },
  comment: { dim: true },
  name: { color: 'cyan' },
  type: { color: 'blue', bold: true },
  meta: { dim: true },
  heading: { bold: true },
  link: { underline: true },
  emphasis: { italic: true },
  strong: { bold: true },
  invalid: { color: 'red' },
};

export function kindStyle(kind: string): Style | undefined {
  return kindStyles[kind];
}

import type { TextStyle } from '../../terminal/screen/sgr.ts';

/** Meaning of a colour. Words or marks repeat every meaning. */
export type Token =
  | 'focus'
  | 'cursor'
  | 'cursor-off'
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

/** Styles of the tokens in the sixteen basic colours; not applied in a terminal without colours. */
export const styles: Readonly<Record<Token, Style>> = {
  focus: { bold: true },
  cursor: { inverse: true },
  'cursor-off': { underline: true },
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

/** Returns the token of a deployment or service state; undefined for an unknown state. */
export function stateToken(state: string | undefined): Token | undefined {
  return state === undefined ? undefined : stateTokens[state.toLowerCase()];
}

/** Styles of syntax highlighting by the kind of word. */
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

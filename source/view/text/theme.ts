import type { ColourDepth } from '../../terminal/screen/colour.ts';
import type { TextStyle } from '../../terminal/screen/sgr.ts';

/** Labels that tell the deployments of a joined log apart. */
export const memberTokens = [
  'member-1',
  'member-2',
  'member-3',
  'member-4',
  'member-5',
  'member-6',
  'member-7',
  'member-8',
] as const;

/** Roles of text. Words or marks repeat every meaning, for terminals without colours. */
export const tokens = [
  'text',
  'quiet',
  'good',
  'busy',
  'bad',
  'danger',
  'info',
  'mark',
  'focus',
  'cursor',
  'cursor-off',
  'select',
  'match',
  'alert',
  ...memberTokens,
] as const;

/** Meaning of a colour. */
export type Token = (typeof tokens)[number];

/** Roles of a whole row, which hide the colours of its text. */
export type RowToken = 'cursor' | 'cursor-off' | 'select' | 'quiet';

/** There is no `dim`: terminals differ in how much of it can be read. */
export type Style = Pick<
  TextStyle,
  'color' | 'backgroundColor' | 'bold' | 'inverse' | 'underline' | 'italic'
>;

/** The styles of the roles, in colours that the terminal has. */
export interface Theme {
  readonly depth: ColourDepth;
  readonly styles: Readonly<Record<Token, Style>>;
  /** Style painted below all text and blanks; undefined where the terminal's own background stays. */
  readonly ground: Style | undefined;
  /** Backgrounds on all of which a colour from outside must be readable. */
  readonly hardest: readonly string[];
}

const stateTokens: Readonly<Record<string, Token>> = {
  active: 'good',
  running: 'good',
  ready: 'good',
  starting: 'busy',
  restarting: 'busy',
  pending: 'busy',
  deploying: 'busy',
  failed: 'bad',
  'node lost': 'bad',
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

/** Role and attributes of syntax highlighting by the kind of word. */
const kinds: Readonly<Record<string, { readonly token?: Token; readonly style?: Style }>> = {
  keyword: { token: 'mark' },
  string: { token: 'good' },
  number: { token: 'busy' },
  literal: { token: 'busy' },
  comment: { token: 'quiet' },
  name: { token: 'info' },
  type: { token: 'focus' },
  meta: { token: 'quiet' },
  heading: { style: { bold: true } },
  link: { style: { underline: true } },
  emphasis: { style: { italic: true } },
  strong: { style: { bold: true } },
  invalid: { token: 'bad' },
};

/** Returns the role and the attributes of a kind of word; both undefined for an unknown one. */
export function kindLook(kind: string | undefined): {
  readonly token?: Token;
  readonly style?: Style;
} {
  return (kind === undefined ? undefined : kinds[kind]) ?? {};
}

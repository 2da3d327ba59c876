import type { Style, Token } from './theme.ts';

/** A run of text with one meaning. The text may be raw: rows sanitise what they draw. */
export interface Span {
  readonly text: string;
  readonly token?: Token | undefined;
  /** Style from outside the theme: colours a log line brought along. */
  readonly style?: Style | undefined;
}

/** One row of the screen, not yet cut to a width. */
export type Line = readonly Span[];

export function plain(text: string): Line {
  return [{ text }];
}

export function span(text: string, token?: Token): Span {
  return { text, token };
}

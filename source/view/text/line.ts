import type { TextStyle } from '../../terminal/screen/sgr.ts';
import type { Token } from './theme.ts';

/** A run of text with one style. The text may be raw, because rows sanitise it when they draw. */
export interface Span {
  readonly text: string;
  readonly token?: Token | undefined;
  /** Attributes, or a style from outside the theme, such as the colours of a log line. */
  readonly style?: TextStyle | undefined;
}

/** One row of the screen before it is fitted to a width. */
export type Line = readonly Span[];

export function plain(text: string): Line {
  return [{ text }];
}

export function span(text: string, token?: Token): Span {
  return { text, token };
}

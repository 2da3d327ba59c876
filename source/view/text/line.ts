import type { TextStyle } from '../../terminal/screen/sgr.ts';
import type { Token } from './theme.ts';

/** A place of a box that a click selects: a button, a field, a row of a list, or an item of Ink's list. */
export interface BoxStop {
  readonly kind: 'button' | 'field' | 'row' | 'item';
  /** Index among the stops of its kind. */
  readonly index: number;
  /** Text that tells it from another stop in the same place. */
  readonly name: string;
  /** Steps down to an item from the cursor of its list; negative for up. */
  readonly steps?: number;
}

/** A run of text with one style. The text may be raw, because rows sanitise it when they draw. */
export interface Span {
  readonly text: string;
  readonly token?: Token | undefined;
  /** Attributes, or a style from outside the theme, such as the colours of a log line. */
  readonly style?: TextStyle | undefined;
  /** Place in a box that a click on the text selects. */
  readonly stop?: BoxStop | undefined;
}

/** One row of the screen before it is fitted to a width. */
export type Line = readonly Span[];

export function plain(text: string): Line {
  return [{ text }];
}

/** Returns a line on which a click selects a place of a box. */
export function atStop(line: Line, stop: BoxStop): Line {
  return line.map((part) => ({ ...part, stop }));
}

export function span(text: string, token?: Token): Span {
  return { text, token };
}

/** Returns whether two lines draw the same and select the same places. */
export function areSameSpans(one: Line, other: Line): boolean {
  return (
    one === other ||
    (one.length === other.length && one.every((part, at) => isSameSpan(part, other[at])))
  );
}

function isSameSpan(one: Span, other: Span | undefined): boolean {
  return (
    other !== undefined &&
    one.text === other.text &&
    one.token === other.token &&
    one.style === other.style &&
    one.stop === other.stop
  );
}

import type { Deck } from '../../store/deck/deck.ts';
import type { Clipboard } from './copy.ts';

/** What came of handing a text to another program. */
export type Handed =
  | { readonly kind: 'changed'; readonly text: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed'; readonly sentence: string };

/** How much of the focused pane is seen, and how much there is: what paging needs to know. */
export interface PaneViewport {
  /** Rows seen at once. */
  readonly rows: number;
  /** Lines of the text in it; a list counts its own. */
  readonly lines: number;
  /** Of a difference: at which of the lines each change begins. */
  readonly changes?: readonly number[] | undefined;
}

/** What only the program around the view can do. */
export interface Terminal {
  quit(): void;
  suspend(): void;
  redraw(): void;
  /** Hands a text to the person's own editor; undefined when the terminal is given away already. */
  readonly hand: (text: string, name: string) => Promise<Handed | undefined>;
  readonly clipboard: Clipboard;
}

/** Everything that a command may act on. */
export interface Action {
  readonly deck: Deck;
  readonly terminal: Terminal;
  readonly viewport: PaneViewport;
  /** Opens the palette, which lists all commands. */
  readonly openPalette: () => void;
}

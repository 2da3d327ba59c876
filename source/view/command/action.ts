import type { Deck } from '../../store/deck/deck.ts';
import type { Clipboard } from './copy.ts';
import type { Handed } from '../editor/external-editor.ts';
import type { PaneViewport } from '../shell/movement.ts';

/** What only the program around the view can do. */
export interface Terminal {
  quit(): void;
  suspend(): void;
  redraw(): void;
  /** Hands a text to the person's own editor; undefined when the terminal is given away already. */
  readonly hand: (text: string, name: string) => Promise<Handed | undefined>;
  readonly clipboard: Clipboard;
}

export interface Action {
  readonly deck: Deck;
  readonly terminal: Terminal;
  readonly viewport: PaneViewport;
}

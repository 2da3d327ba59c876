import type { Deck } from '../../store/deck/deck.ts';
import type { IncidentMaker } from '../../store/incident/incident.ts';
import type { Clipboard } from './copy.ts';

/** Result of editing a text in an external program. */
export type Handed =
  | { readonly kind: 'changed'; readonly text: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed'; readonly sentence: string };

/** The end of a command that lines were piped to: its exit code or its signal. */
export type PipeEnd =
  | { readonly kind: 'ended'; readonly status: number | string }
  | { readonly kind: 'failed'; readonly reason: string };

/** Size and contents of the focused pane, for paging. */
export interface PaneViewport {
  /** Number of visible rows. */
  readonly rows: number;
  /** Lines of the text in the pane; 0 for a list, which counts its own rows. */
  readonly lines: number;
  /** First line of each change in a difference. */
  readonly changes?: readonly number[] | undefined;
  /** True when the log in the pane shows its histogram. */
  readonly hasHistogram?: boolean;
}

/** Operations of the program that mounts the view. */
export interface Terminal {
  quit(): void;
  suspend(): void;
  redraw(): void;
  /** Edits a text in the user's own editor; undefined when another program has the terminal. */
  readonly hand: (text: string, name: string) => Promise<Handed | undefined>;
  /** Runs a command with the person's shell, which reads texts; undefined like that of `hand`. */
  readonly pipe: (command: string, texts: AsyncIterable<string>) => Promise<PipeEnd | undefined>;
  readonly clipboard: Clipboard;
  /** Collects incidents of the service; undefined in an incident file, which has none. */
  readonly collectIncident?: IncidentMaker | undefined;
}

/** Everything that a command acts on. */
export interface Action {
  readonly deck: Deck;
  readonly terminal: Terminal;
  readonly viewport: PaneViewport;
  /** Opens the palette, which lists all commands. */
  readonly openPalette: () => void;
}

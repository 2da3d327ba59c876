import type { Deck } from '../../store/deck/deck.ts';
import type { MainView } from '../../store/deck/screen/main-view.ts';
import type { Pane } from '../../store/deck/screen/focus.ts';
import type { Action } from './action.ts';

/** Where keys go when nothing lies above the panes. */
export const keyContexts = [
  'deployments',
  'files',
  'grants',
  'logs',
  'view',
  'details',
  'diff',
  'history',
  'edit',
] as const;
export type KeyContext = (typeof keyContexts)[number];

export const listContexts: readonly KeyContext[] = ['deployments', 'files', 'grants'];
/** Texts that wrap. */
export const textContexts: readonly KeyContext[] = ['view', 'details'];
/** Texts that scroll sideways. */
export const pageContexts: readonly KeyContext[] = [...textContexts, 'diff'];
/** Texts that scroll by pages. */
export const readContexts: readonly KeyContext[] = [...pageContexts, 'history'];
/** Every context but the editor, where letters type. */
export const paneContexts: readonly KeyContext[] = keyContexts.filter((one) => one !== 'edit');

/** The context of the pane with the focus and what pane 4 shows. */
export function contextOf(focus: Pane, main: MainView): KeyContext {
  if (focus !== 'main') return focus;
  switch (main.kind) {
    case 'logs':
      return 'logs';
    case 'file':
      return 'view';
    case 'editor':
      return 'edit';
    case 'diff':
      return 'diff';
    case 'history':
      return 'history';
    case 'deployment':
    case 'grant':
    case 'answer':
    case 'line':
      return 'details';
  }
}

/** Groups of commands; the registry orders the footer and the help by them. */
export type HelpGroup =
  /** The pane's own commands. */
  | 'pane'
  | 'view'
  | 'open'
  | 'copy'
  | 'restart'
  | 'list'
  | 'command'
  | 'move'
  | 'panes'
  | 'refresh'
  | 'screen'
  | 'leave'
  | 'help'
  /** Commands without a key, which only the palette runs. */
  | 'name'
  /** The edited document as a whole. */
  | 'document'
  | 'text'
  | 'type';

/** How the footer and the help show a command in the state of the deck. */
export interface CommandVariant {
  readonly label?: string | undefined;
  readonly help?: string;
  /** True when neither shows the command. */
  readonly isHidden?: boolean;
  /** Id of the command behind which this one is listed. */
  readonly after?: string;
}

/** One command: its keys, its words and its function, registered by the noun it belongs to. */
export interface Command {
  /** Unique name, `noun.verb`. */
  readonly id: string;
  /** Default keys, named as in `terminal/keys`; in the editor those that type do not hold. */
  readonly keys: readonly string[];
  /** Further default keys, which no list names. */
  readonly quietKeys?: readonly string[];
  readonly contexts: readonly KeyContext[];
  /** One or two words for the footer, where it names the command, or only in some contexts. */
  readonly label?: string | Readonly<Partial<Record<KeyContext, string>>>;
  /** The footer's name of the key, where the label covers another command's key too. */
  readonly footerKey?: string;
  readonly group: HelpGroup;
  /** The effect in a few words, for the help and the palette. */
  readonly help: string;
  /** True for keys that everybody knows, which no list names. */
  readonly isUnlisted?: boolean;
  /** Name in the palette; absent for commands that only move, type or step back. */
  readonly title?: string;
  /** Other words that the palette finds the command by. */
  readonly synonyms?: readonly string[];
  /** The palette's name of the keys, where they are not those of `keys`. */
  readonly paletteKey?: string;
  /** What the command acts on, for its name in the palette: the deployment under the cursor. */
  readonly subject?: 'deployment';
  /** True when the command changes something on the service, most of them after a box. */
  readonly writes?: boolean;
  /** What is about to appear and takes the keys that follow. */
  readonly opens?: 'palette' | 'editor';
  /** True when a second press confirms, so that the first one's question stays. */
  readonly isConfirmedByRepeat?: boolean;
  /** Differences of footer and help that depend on what is open; undefined for none. */
  readonly variant?: (deck: Deck, context: KeyContext) => CommandVariant | undefined;
  readonly run: (action: Action) => void;
}

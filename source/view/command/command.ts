import type { Deck } from '../../store/deck/deck.ts';
import type { MainView } from '../../store/deck/screen/main-view.ts';
import type { LocalPlace } from '../../store/drafts/places.ts';
import { isListPane, listPaneNames, listPanes } from '../../store/lists/list-panes.ts';
import { digitOf, type Pane } from '../../store/deck/screen/focus.ts';
import type { Action } from './action.ts';

/** Contexts of keys when no overlay is open. */
export const keyContexts = [
  ...listPaneNames,
  'logs',
  'patterns',
  'view',
  'details',
  'diff',
  'history',
  'edit',
] as const;
export type KeyContext = (typeof keyContexts)[number];

/** Returns the name of the pane or the view in this context. */
export function contextName(context: KeyContext): string {
  return isListPane(context) ? listPanes[context].title : viewNames[context];
}

/** Returns the key that focuses the pane of this context. */
export function contextDigit(context: KeyContext): string {
  return digitOf(isListPane(context) ? context : 'main');
}

const viewNames = {
  logs: 'Logs',
  patterns: 'Patterns',
  view: 'View',
  details: 'Details',
  diff: 'Diff',
  history: 'History',
  edit: 'Edit',
} as const;

export const listContexts: readonly KeyContext[] = listPaneNames;
/** Texts that wrap. */
export const textContexts: readonly KeyContext[] = ['view', 'details'];
/** Texts that scroll sideways. */
export const pageContexts: readonly KeyContext[] = [...textContexts, 'diff'];
/** Texts that scroll by pages. */
export const scrollContexts: readonly KeyContext[] = [...pageContexts, 'history', 'patterns'];
/** Every context but the editor, where letters type. */
export const paneContexts: readonly KeyContext[] = keyContexts.filter((one) => one !== 'edit');

/** Returns the context of the focused pane; for pane 4 it depends on the view. */
export function contextOf(focus: Pane, main: MainView): KeyContext {
  if (focus !== 'main') return focus;
  switch (main.kind) {
    case 'logs':
      return 'logs';
    case 'patterns':
      return 'patterns';
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

/** Topics of the help; a command without its own is listed under that of its group. */
export type HelpTopic =
  | 'pane'
  | 'document'
  | 'follow'
  | 'find'
  | 'text'
  | 'copy'
  | 'open'
  | 'view'
  | 'restart'
  | 'move'
  | 'panes'
  | 'program'
  | 'name';

/** Differences of a command in the footer and the help that depend on the deck's state. */
export interface CommandVariant {
  readonly label?: string | undefined;
  readonly help?: string;
  /** True when neither shows the command. */
  readonly isHidden?: boolean;
  /** Id of the command after which this one is listed. */
  readonly after?: string;
}

/** One command: its keys, its words and its function, registered by the noun it belongs to. */
export interface Command {
  /** Unique name, `noun.verb`. */
  readonly id: string;
  /** Default keys, named as in `terminal/keys`; the editor ignores those that type a character. */
  readonly keys: readonly string[];
  /** Further default keys, omitted from footer, help and documents. */
  readonly quietKeys?: readonly string[];
  readonly contexts: readonly KeyContext[];
  /** One or two words for the footer, for all contexts or for some of them. */
  readonly label?: string | Readonly<Partial<Record<KeyContext, string>>>;
  /** Id of the command whose key the footer names too, because the label covers both. */
  readonly pairedWith?: string;
  readonly group: HelpGroup;
  /** Topic in the help, where that of the group is too general. */
  readonly topic?: HelpTopic;
  /** Effect in a few words, for the help and the palette. */
  readonly help: string;
  /** Use of the command in the last column of the help, in place of its name in the palette. */
  readonly note?: string;
  /** True for common keys that help and documents omit. */
  readonly isUnlisted?: boolean;
  /** Name in the palette; absent for commands that only move, type or step back. */
  readonly title?: string;
  /** Further search words in the palette. */
  readonly synonyms?: readonly string[];
  /** Id of the command that does the same when its key is pressed twice, for the palette. */
  readonly doubleOf?: string;
  /** Object whose name follows the title in the palette: the deployment under the cursor. */
  readonly subject?: 'deployment';
  /** Command for any deployment, which the palette offers by a verb and the name: `close shop`. */
  readonly forDeployment?: {
    readonly verb: string;
    readonly run: (action: Action, id: string) => void;
  };
  /** Command for any file of the opened service, or any file with a draft: `edit app.yaml`. */
  readonly forFile?: {
    readonly verb: string;
    /** True for a command that acts on a draft, in whichever service its file is. */
    readonly needsDraft?: boolean;
    readonly run: (action: Action, file: LocalPlace) => void;
  };
  /** True when the command changes something on the service, usually after a confirmation. */
  readonly writes?: boolean;
  /** True when the command opens a text that only a write can use: the editor of a file. */
  readonly preparesWrite?: boolean;
  /** A part that loads lazily; keys typed until then are queued for it. */
  readonly opens?: 'palette' | 'editor';
  /** True when a second press confirms, so the command keeps the confirmation message. */
  readonly isConfirmedByRepeat?: boolean;
  /** Returns the differences of footer and help in the deck's state; undefined for none. */
  readonly variant?: (deck: Deck, context: KeyContext) => CommandVariant | undefined;
  readonly run: (action: Action) => void;
}

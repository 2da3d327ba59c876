import type { MainView, Pane } from '../../store/deck/screen.ts';

/** Where keys go when nothing lies above the panes. */
export type KeyContext =
  | 'deployments'
  | 'files'
  | 'grants'
  | 'logs'
  | 'view'
  | 'details'
  | 'diff'
  | 'history'
  | 'edit';

export const keyContexts: readonly KeyContext[] = [
  'deployments',
  'files',
  'grants',
  'logs',
  'view',
  'details',
  'diff',
  'history',
  'edit',
];

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

export interface KeyBinding<C extends string = string> {
  readonly command: C;
  /** Names as `terminal/keys` gives them. */
  readonly keys: readonly string[];
  /** Where it holds; everywhere among the panes when absent. */
  readonly in?: readonly KeyContext[];
  /** One or two words for the footer; absent for keys that need no reminder. */
  readonly label?: string | undefined;
  /** What the footer calls its key, where the label speaks of another one too. */
  readonly footerKey?: string;
  /** What it does, for the help. */
  readonly help: string;
  /** Its name in the palette, where that is not the command's. */
  readonly title?: string;
  /** What it acts on, to be named in the palette: the deployment that keys speak of. */
  readonly subject?: 'deployment';
  /** Known to every hand, so that no list has to name it. */
  readonly unlisted?: boolean;
}

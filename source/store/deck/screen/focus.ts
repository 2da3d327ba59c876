import { type ListPane, listPaneNames, listPanes } from '../../lists/list-panes.ts';

/** `main` is the pane of the log, the editor and the details. */
export type Pane = ListPane | 'main';

/** The key of each pane. */
export function digitOf(pane: Pane): string {
  return pane === 'main' ? '4' : listPanes[pane].digit;
}

/** The panes in the order of their digits. */
export const panes: readonly Pane[] = [...listPaneNames, 'main' as const].sort(
  (a, b) => Number(digitOf(a)) - Number(digitOf(b)),
);

export interface FocusState {
  readonly focus: Pane;
  readonly fullscreen: boolean;
}

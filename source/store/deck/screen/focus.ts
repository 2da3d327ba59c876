import { type ListPane, listPaneNames, listPanes } from '../../lists/list-panes.ts';
import type { Slice } from './slice.ts';

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
  /** The pane that had the focus before pane 4. */
  readonly cameFrom: Pane;
  readonly fullscreen: boolean;
}

/** The pane that takes the keys. */
export interface FocusActions {
  /** Moves the focus. A list ends full screen; pane 4 remembers the pane before it. */
  to(pane: Pane): void;
  toggleFullscreen(): void;
  leaveFullscreen(): void;
}

export function focusActions({ set }: Slice<FocusState>): FocusActions {
  return {
    to(pane) {
      set(({ focus, cameFrom }) =>
        pane === 'main'
          ? { focus: pane, cameFrom: focus === 'main' ? cameFrom : focus }
          : { focus: pane, fullscreen: false },
      );
    },
    toggleFullscreen() {
      set(({ fullscreen }) => ({ fullscreen: !fullscreen }));
    },
    leaveFullscreen() {
      set({ fullscreen: false });
    },
  };
}

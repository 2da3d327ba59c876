import type { Slice } from './slice.ts';

/** The panes in the order of their digits; `main` is pane 4. */
export const panes = ['deployments', 'files', 'grants', 'main'] as const;
export type Pane = (typeof panes)[number];
export type ListPane = Exclude<Pane, 'main'>;

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

import type { Slice } from './slice.ts';

export interface LayoutState {
  /** Columns that `+` added to the left side; negative where `-` removed some. */
  readonly widen: number;
}

export interface LayoutActions {
  /** Widens the left side by a number of columns; a negative number narrows it. */
  widen(columns: number): void;
}

/** Limit in columns; further steps would have no visible effect. */
const maxWidened = 40;

export function layoutActions({ set }: Slice<LayoutState>): LayoutActions {
  return {
    widen(columns) {
      set(({ widen }) => ({
        widen: Math.max(-maxWidened, Math.min(widen + columns, maxWidened)),
      }));
    },
  };
}

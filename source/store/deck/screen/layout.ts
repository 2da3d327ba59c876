import type { Slice } from './slice.ts';

export interface LayoutState {
  /** Columns that `+` added to the left side; negative where `-` removed some. */
  readonly widen: number;
}

export interface LayoutActions {
  /** Makes the left side wider by so many columns, or narrower by a negative number. */
  widen(columns: number): void;
}

/** Columns. Further steps would not show, and would have to be undone one by one. */
const mostWidened = 40;

export function layoutActions({ set }: Slice<LayoutState>): LayoutActions {
  return {
    widen(columns) {
      set(({ widen }) => ({
        widen: Math.max(-mostWidened, Math.min(widen + columns, mostWidened)),
      }));
    },
  };
}

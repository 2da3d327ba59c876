import type { ListPane, Pane } from '../../store/deck/screen/focus.ts';
import type { Area } from '../../terminal/screen/screen.ts';

/** A pane of the left side with its rows, the title among them. */
export interface LeftPane {
  readonly pane: ListPane;
  readonly height: number;
}

export type Layout =
  /** Too small to draw anything that could be used. */
  | { readonly kind: 'tiny' }
  /** One pane over the full width, tabs above it. */
  | { readonly kind: 'single'; readonly width: number; readonly height: number }
  /** Nothing but the content of pane 4 between row 1 and the last two. */
  | { readonly kind: 'fullscreen'; readonly width: number; readonly height: number }
  | {
      readonly kind: 'split';
      readonly height: number;
      readonly leftWidth: number;
      readonly left: readonly LeftPane[];
      readonly mainWidth: number;
      /** Width of the details column; 0 when there is no room for one. */
      readonly detailsWidth: number;
    };

const smallest = { columns: 40, rows: 10 };
const split = { columns: 110, rows: 20 };
const wide = { columns: 160 };

/** Row 1 above, message and keys below. */
const chromeRows = 3;

/** Whether all panes are seen at once in a terminal of this size. */
export function isSplit(size: { readonly columns: number; readonly rows: number }): boolean {
  return size.columns >= split.columns && size.rows >= split.rows;
}

/** Where everything goes in a terminal of this size (screens, "Layout"). */
export function computeLayout(options: {
  readonly columns: number;
  readonly rows: number;
  readonly focus: Pane;
  readonly fullscreen: boolean;
  /** Columns the person gave the left side beyond its own width; may be negative. */
  readonly widen: number;
}): Layout {
  const { columns, rows } = options;
  if (columns < smallest.columns || rows < smallest.rows) return { kind: 'tiny' };
  const height = rows - chromeRows;
  if (options.fullscreen) return { kind: 'fullscreen', width: columns, height };
  if (!isSplit({ columns, rows })) {
    return { kind: 'single', width: columns, height: height - 1 };
  }
  const isWide = columns >= wide.columns;
  const leftWidth = clamp((isWide ? 44 : 38) + options.widen, 24, columns - 60);
  const beside = columns - leftWidth - 1;
  const detailsWidth = isWide ? Math.floor((beside - 1) * 0.4) : 0;
  const mainWidth = isWide ? beside - 1 - detailsWidth : beside;
  return {
    kind: 'split',
    height,
    leftWidth,
    left: leftPanes(height),
    mainWidth,
    detailsWidth,
  };
}

/** Where the content of pane 4 stands on the screen. */
export function mainArea(layout: Exclude<Layout, { kind: 'tiny' }>): Area {
  switch (layout.kind) {
    case 'fullscreen':
      return { left: 0, top: 1, width: layout.width, height: layout.height };
    case 'single':
      return { left: 0, top: 2, width: layout.width, height: layout.height };
    case 'split':
      return {
        left: layout.leftWidth + 1,
        top: 2,
        width: layout.mainWidth,
        height: layout.height - 1,
      };
  }
}

/** From so many rows of the terminal on, the log is seen below the editor, in so many rows. */
const tailBelow = { from: 34, rows: 8 };

/**
 * Where the editor stands: on pane 4 and its title, which it has itself; and the log below it,
 * whose title takes the row above it.
 */
export function editorAreas(layout: Exclude<Layout, { kind: 'tiny' }>): {
  readonly editor: Area;
  readonly tail: Area | undefined;
} {
  const main = mainArea(layout);
  const titled =
    layout.kind === 'fullscreen' ? main : { ...main, top: main.top - 1, height: main.height + 1 };
  if (titled.top + titled.height + chromeRows - 1 < tailBelow.from) {
    return { editor: titled, tail: undefined };
  }
  const height = titled.height - tailBelow.rows - 1;
  return {
    editor: { ...titled, height },
    tail: { ...titled, top: titled.top + height + 1, height: tailBelow.rows },
  };
}

/** Three panes of equal height; what does not divide goes to the upper ones. */
function leftPanes(height: number): readonly LeftPane[] {
  const panes = ['deployments', 'files', 'grants'] as const;
  return panes.map((pane, index) => ({
    pane,
    height: Math.floor((height + panes.length - 1 - index) / panes.length),
  }));
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}

import { eachListPane, type ListPane, listPaneNames } from '../../store/lists/list-panes.ts';
import type { ListRows } from '../../store/deck/screen/layout.ts';
import type { Pane } from '../../store/deck/screen/focus.ts';
import type { Area } from '../../terminal/screen/screen-rows.ts';

/** A pane of the left side; `height` includes its title. */
export interface LeftPane {
  readonly pane: ListPane;
  readonly height: number;
}

export type Layout =
  /** A terminal too small to use. */
  | { readonly kind: 'tiny' }
  /** One pane in the full width, below the tabs. */
  | { readonly kind: 'single'; readonly width: number; readonly height: number }
  /** The content of pane 4 between row 1 and the last two rows. */
  | { readonly kind: 'fullscreen'; readonly width: number; readonly height: number }
  | {
      readonly kind: 'split';
      readonly height: number;
      readonly leftWidth: number;
      readonly left: readonly LeftPane[];
      readonly mainWidth: number;
      /** Width of the details column; 0 when it does not fit. */
      readonly detailsWidth: number;
    };

const smallest = { columns: 40, rows: 10 };
const split = { columns: 110, rows: 20 };
/** Columns from which the details stand beside the log, and those that the log keeps. */
const details = { from: 190, log: 100 };

/** Columns of the left side: at least, at least where there is room, and at most. */
const left = { least: 38, wanted: 46, most: 66, share: 0.3 };

/** Columns below which the details column would only show cut words. */
const smallestDetails = 24;

/** Rows outside of the panes: row 1, message and keys. */
const chromeRows = 3;

/** Returns true when a terminal of this size shows all panes at once. */
export function isSplit(size: { readonly columns: number; readonly rows: number }): boolean {
  return size.columns >= split.columns && size.rows >= split.rows;
}

/** Computes the layout for a terminal of this size. */
export function computeLayout(options: {
  readonly columns: number;
  readonly rows: number;
  readonly focus: Pane;
  readonly fullscreen: boolean;
  /** Columns that the user added to the left side; may be negative. */
  readonly widen: number;
  /** Rows that each list has to show, without its title. */
  readonly listRows: ListRows;
}): Layout {
  const { columns, rows } = options;
  if (columns < smallest.columns || rows < smallest.rows) return { kind: 'tiny' };
  const height = rows - chromeRows;
  if (options.fullscreen) return { kind: 'fullscreen', width: columns, height };
  if (!isSplit({ columns, rows })) {
    return { kind: 'single', width: columns, height: height - 1 };
  }
  const wanted = Math.max(left.wanted, Math.round(columns * left.share));
  const leftWidth = clamp(clamp(wanted, left.least, left.most) + options.widen, 24, columns - 60);
  const beside = columns - leftWidth - 1;
  const hasDetails = columns >= details.from && beside - details.log - 1 >= smallestDetails;
  const detailsWidth = hasDetails ? beside - details.log - 1 : 0;
  const mainWidth = hasDetails ? details.log : beside;
  return {
    kind: 'split',
    height,
    leftWidth,
    left: leftPanes(height, options.listRows, options.focus),
    mainWidth,
    detailsWidth,
  };
}

/** Returns the screen area of pane 4's content. */
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

/** Minimum terminal height for the log below the editor, and the rows of that log. */
const logBelowEditor = { minRows: 34, rows: 8 };

/**
 * Returns the areas of the editor and of the log below it. The editor covers pane 4 with its title;
 * the title of the log takes the row between the two.
 */
export function editorAreas(layout: Exclude<Layout, { kind: 'tiny' }>): {
  readonly editor: Area;
  readonly tail: Area | undefined;
} {
  const main = mainArea(layout);
  const titled =
    layout.kind === 'fullscreen' ? main : { ...main, top: main.top - 1, height: main.height + 1 };
  if (titled.top + titled.height + chromeRows - 1 < logBelowEditor.minRows) {
    return { editor: titled, tail: undefined };
  }
  const height = titled.height - logBelowEditor.rows - 1;
  return {
    editor: { ...titled, height },
    tail: { ...titled, top: titled.top + height + 1, height: logBelowEditor.rows },
  };
}

/** Rows of a pane, its title included, before a longer list gets more. */
const smallestPanes: Readonly<Record<ListPane, number>> = { deployments: 6, files: 4, grants: 4 };

/**
 * Divides the height among the list panes by what they have to show: each gets its smallest height,
 * then the focused one all that it needs, then the others from the top. The first one gets the rest.
 */
function leftPanes(height: number, rows: ListRows, focus: Pane): readonly LeftPane[] {
  const needs = eachListPane((pane) => 1 + Math.max(1, rows[pane]));
  const heights: Record<ListPane, number> = {
    ...eachListPane((pane) => Math.min(needs[pane], smallestPanes[pane])),
  };
  let room = height - listPaneNames.reduce((sum, pane) => sum + heights[pane], 0);
  const first: ListPane = focus === 'main' ? 'deployments' : focus;
  for (const pane of [first, ...listPaneNames]) {
    const more = clamp(needs[pane] - heights[pane], 0, room);
    heights[pane] += more;
    room -= more;
  }
  heights.deployments += room;
  return listPaneNames.map((pane) => ({ pane, height: heights[pane] }));
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}

import { type Pane, panes } from '../../store/deck/screen/focus.ts';
import { truncateCells } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { shortState } from '../log/title.ts';
import { fillLine, lineWidth } from '../text/fit.ts';
import { type Line, span } from '../text/line.ts';

/** States at the right of the tabs. */
export interface TabsState {
  /** State of the focused pane; empty for a list that has none. */
  readonly own: Line;
  /** State of pane 4, shown where the focused pane has none. */
  readonly log: Line;
}

/**
 * Draws the tabs in `width` cells, the focused one in brackets, and a state at the right: that of
 * the focused pane, else of the log. The place of the files belongs to their own tab. In a narrow row
 * the other tabs lose their counts, the log the time of its last line, then the other tabs their names,
 * so that the state fits; at last the name of the focused one is cut for its own state.
 */
export function tabsLine(
  titles: Readonly<Record<Pane, string>>,
  focus: Pane,
  width: number,
  { own, log }: TabsState = { own: [], log: [] },
): Line {
  const focused = span(`[${titles[focus]}]`, 'focus');
  const drawn = (name: (pane: Pane, title: string) => string, middle = focused): Line =>
    panes.map((pane) => (pane === focus ? middle : span(` ${name(pane, titles[pane])} `)));
  const named = shortenings.map((shortened) =>
    drawn((pane, title) => (shortened.includes(pane) ? nameOnly(title) : title)),
  );
  const numbered = drawn((_, title) => digitOnly(title));
  const lines = [...named, numbered];
  const state = own.length > 0 ? own : log;
  const short = shortState(state);
  const rows: readonly (readonly [tabs: Line, state: Line])[] = [
    ...named.map((line) => [line, state] as const),
    ...named.map((line) => [line, short] as const),
    [numbered, state],
    [numbered, short],
  ];
  const fitting = rows.find(([line, beside]) => lineWidth(line) + lineWidth(beside) < width);
  if (state.length > 0 && fitting !== undefined) {
    const [line, beside] = fitting;
    return [...fillLine(line, width - lineWidth(beside), ' '), ...beside];
  }
  const stateWidth = lineWidth(state);
  const room = width - stateWidth - 1;
  const others = drawn((_, title) => digitOnly(title), span('[]'));
  const nameRoom = room - lineWidth(others);
  if (own.length > 0 && nameRoom >= leastName) {
    const name = span(`[${truncateCells(sanitize(titles[focus]), nameRoom)}]`, 'focus');
    return [
      ...fillLine(
        drawn((_, title) => digitOnly(title), name),
        width - stateWidth,
        ' ',
      ),
      ...own,
    ];
  }
  return lines.find((line) => lineWidth(line) <= width) ?? lines.at(-1) ?? [];
}

/** Returns the pane whose tab has a cell of the row. @param tabs a line of {@link tabsLine}. */
export function tabAt(tabs: Line, x: number): Pane | undefined {
  let end = 0;
  for (const [index, pane] of panes.entries()) {
    end += lineWidth(tabs.slice(index, index + 1));
    if (x < end) return pane;
  }
  return undefined;
}

/** Cells of a cut name from which it still tells the pane. */
const leastName = 12;

/** The tabs that lose all but their names, one after the other: the name of the log last. */
const shortenings: readonly (readonly Pane[])[] = [['files'], ['files', 'grants'], panes];

/** Shortens `2 Files shop/web 5` to `2 Files`. */
const nameOnly = (title: string) => title.split(' ').slice(0, 2).join(' ');

const digitOnly = (title: string) => title.slice(0, 1);

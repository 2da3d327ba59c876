import { type Pane, panes } from '../../store/deck/screen/focus.ts';
import { fillLine, lineWidth } from '../text/fit.ts';
import { type Line, span } from '../text/line.ts';

/**
 * Draws the tabs in `width` cells, the focused one in brackets, and a state at the right: that of
 * the focused list, else of the log. In a narrow row the other tabs lose their counts, then their
 * names, so that the state fits; the focused one stays whole.
 */
export function tabsLine(
  titles: Readonly<Record<Pane, string>>,
  focus: Pane,
  width: number,
  state: Line = [],
): Line {
  const lines = shortenings.map((shortened) =>
    panes.map((pane) =>
      pane === focus
        ? span(`[${titles[pane]}]`, 'focus')
        : span(` ${shortened.includes(pane) ? nameOnly(titles[pane]) : titles[pane]} `),
    ),
  );
  lines.push(
    panes.map((pane) =>
      pane === focus ? span(`[${titles[pane]}]`, 'focus') : span(` ${digitOnly(titles[pane])} `),
    ),
  );
  const room = width - lineWidth(state) - 1;
  const fitting = state.length === 0 ? undefined : lines.find((line) => lineWidth(line) <= room);
  if (fitting !== undefined) return [...fillLine(fitting, width - lineWidth(state), ' '), ...state];
  return lines.find((line) => lineWidth(line) <= width) ?? lines.at(-1) ?? [];
}

/** The tabs that lose all but their names, one after the other: the name of the log last. */
const shortenings: readonly (readonly Pane[])[] = [[], ['files'], ['files', 'grants'], panes];

/** Shortens `2 Files shop/web 5` to `2 Files`. */
const nameOnly = (title: string) => title.split(' ').slice(0, 2).join(' ');

const digitOnly = (title: string) => title.slice(0, 1);

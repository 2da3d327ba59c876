import { type Pane, panes } from '../../store/deck/screen/focus.ts';
import { lineWidth } from '../text/fit.ts';
import { type Line, span } from '../text/line.ts';

/**
 * Draws the tabs in `width` cells, the focused one in brackets. In a narrow row the others lose
 * their counts, then their names; the focused one stays whole.
 */
export function tabsLine(titles: Readonly<Record<Pane, string>>, focus: Pane, width: number): Line {
  const lines = [whole, nameOnly, digitOnly].map((shorten) =>
    panes.map((pane) =>
      pane === focus ? span(`[${titles[pane]}]`, 'focus') : span(` ${shorten(titles[pane])} `),
    ),
  );
  return lines.find((line) => lineWidth(line) <= width) ?? lines.at(-1) ?? [];
}

const whole = (title: string) => title;

/** Shortens `2 Files shop/web 5` to `2 Files`. */
const nameOnly = (title: string) => title.split(' ').slice(0, 2).join(' ');

const digitOnly = (title: string) => title.slice(0, 1);

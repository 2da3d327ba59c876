import { useStore } from 'zustand';
import type { MainView } from '../../store/deck/screen/main-view.ts';
import type { Area } from '../../terminal/screen/screen-rows.ts';
import { viewedRange, viewedText } from '../files/text.ts';
import { patternsStatus } from '../log/patterns/patterns-title.ts';
import { useReaderStatus } from '../log/use-reader-status.ts';
import { useDeck, useScreen } from '../parts/context.ts';
import { useChanges } from '../parts/use-changes.ts';
import { type Line, span } from '../text/line.ts';
import { stripRows } from './viewport.ts';

/** Returns the right end of pane 4's title: the state of the log, or the visible lines of a file. */
export function useMainStatus({ width, height }: Area): Line {
  const deck = useDeck();
  const reader = useReaderStatus(width);
  const main = useScreen((screen) => screen.main.kind);
  const tail = useStore(deck.opened, ({ tail: opened }) => opened);
  useChanges(main === 'patterns' ? tail?.patterns.state : undefined);
  const { top } = useScreen((screen) => screen.scroll);
  const wrap = useScreen((screen) => screen.wrap);
  const body = useStore(deck.files.state, ({ opened }) => opened?.body);
  const strip = useStore(deck.textSearch.state, () => stripRows(deck));
  // Beside the title of another view, the state of the log needs its name.
  if (!showsOwnStatus(main)) return namedStatus(reader);
  if (main === 'patterns') return patternsStatus(deck);
  if (main === 'logs') return reader;
  if (body === undefined) return [];
  const range = viewedRange(viewedText(body), { top, wrap }, { width, height: height - strip });
  return range === '' ? [] : [span(range)];
}

/** Returns whether the state beside the title of a view is that of the view, not of the log behind it. */
export function showsOwnStatus(view: MainView['kind']): boolean {
  return view === 'logs' || view === 'patterns' || view === 'file';
}

/** Returns the state of the log as `log PAUSED`. */
export function namedStatus(reader: Line): Line {
  const isNamed = reader.length === 0 || reader.some(({ text }) => /\blog\b/.test(text));
  return isNamed ? reader : [span('log '), ...reader];
}

import { useDeck, useGlyphs, usePainter, useSlowLink } from '../parts/context.ts';
import { useNow } from '../parts/use-now.ts';
import type { Line } from '../text/line.ts';
import { span } from '../text/line.ts';
import { readerStatus } from './title.ts';
import { useTail } from './use-tail.ts';

/** Cells of a title from which it has room for the bars of the rate. */
const barsFrom = 110;

/** Returns the state of the log for the right of its title; it changes at most once a second. */
export function useReaderStatus(width: number): Line {
  const deck = useDeck();
  const { bars } = useGlyphs();
  const isPainted = usePainter() !== undefined;
  const slowLink = useSlowLink();
  const now = useNow(1000);
  useTail();
  const status = readerStatus(deck, now, bars);
  if (status === undefined) return [];
  const text = span(status.text, status.token);
  // The bar chart changes every second: too costly on a slow link, and no part of rows as text.
  const isDrawn = width >= barsFrom && isPainted && !slowLink && status.bars !== undefined;
  return isDrawn ? [span(`${status.bars} `, 'quiet'), text] : [text];
}

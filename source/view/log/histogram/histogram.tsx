import { useEffect } from 'react';
import { useStore } from 'zustand';
import { isUtcFormat } from '../../../store/log/times.ts';
import type { Tail } from '../../../store/log/tail.ts';
import { useGlyphs, usePainter, useScreen } from '../../parts/context.ts';
import { Row } from '../../parts/row.tsx';
import { useWindowSize } from '../../parts/use-window-size.ts';
import { barRoom, histogramLine, showsHistogram } from './histogram-row.ts';

/** The row with the histogram of a log. */
export function Histogram({ tail, width }: { readonly tail: Tail; readonly width: number }) {
  const { histogram } = tail;
  const { steps } = useGlyphs();
  const utc = useScreen(({ times }) => isUtcFormat(times));
  const state = useStore(histogram.state);
  const room = barRoom(width);
  useEffect(() => histogram.show(room), [histogram, room]);
  return <Row line={histogramLine(state, width, steps, utc)} width={width} />;
}

/** Returns the rows of the histogram in a pane of this height: none while the lines have no times. */
export function useHistogramRows({ histogram }: Tail, height: number): number {
  const choice = useScreen((screen) => screen.histogram);
  const { rows } = useWindowSize();
  // Rows that are drawn as text have no bars.
  const isPainted = usePainter() !== undefined;
  const hasTimes = useStore(histogram.state, ({ kind }) => kind !== 'untimed');
  return isPainted && hasTimes && showsHistogram(choice, rows, height) ? 1 : 0;
}

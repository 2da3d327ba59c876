import type { HistogramState } from '../../../store/log/histogram/histogram.ts';
import { dayText, timeOfDayText } from '../../../store/log/times.ts';
import { formatAge } from '../../../store/time/age.ts';
import { lineWidth } from '../../text/fit.ts';
import { type Line, type Span, span } from '../../text/line.ts';
import { fullScale } from '../rate-bars.ts';

/** Cells of a time beside the bars, with a blank, and of the legend at the right. */
const timeWidth = 6;
const legendWidth = 12;

/** Cells from which the row has room for its legend. */
const legendFrom = 50;

/** Sign of a slot whose lines are missing: those of a gap. */
const unloadedSign = '-';

const day = 24 * 3_600_000;

/** Returns the bars that a row of this width has room for. */
export function barRoom(width: number): number {
  return Math.max(1, width - 2 * timeWidth - (width < legendFrom ? 0 : legendWidth));
}

/** Terminal and pane height from which the row is shown unless it was switched off. */
const shownFrom = { terminal: 20, pane: 10 };

/** Returns whether a log shows its histogram. @param choice what the person has chosen, if anything. */
export function showsHistogram(
  choice: boolean | undefined,
  terminalRows: number,
  paneRows: number,
): boolean {
  return choice ?? (terminalRows >= shownFrom.terminal && paneRows >= shownFrom.pane);
}

/**
 * Draws the histogram in one row: `11:20 ▁ ▂▁█▃ 11:47   30s a bar`. Bars with errors are `bad`; a
 * bar at its full height stands for a round number of lines, which rarely changes. New bars are
 * added at the right, so that the others stay where they are.
 * @param steps bar characters from the lowest to the highest.
 */
export function histogramLine(
  state: HistogramState,
  width: number,
  steps: string,
  utc: boolean,
): Line {
  if (state.kind !== 'bars') return [];
  const { slots, bars, errors } = state;
  const scale = fullScale(Math.max(...bars.map(({ count }) => count)), 1);
  const end = slots.from + slots.count * slots.width;
  const isLong = end - slots.from > day;
  const timeText = (at: number) =>
    isLong ? dayText(at, utc).slice(5) : timeOfDayText(at, utc).slice(0, 5);
  const drawn = bars.map((bar): Span => {
    if (bar.isUnloaded) return span(unloadedSign, 'busy');
    return span(barSign(bar.count / scale, steps), errors.has(bar.at) ? 'bad' : 'quiet');
  });
  const line = [
    span(`${timeText(slots.from)} `, 'quiet'),
    ...joined(drawn),
    span(` ${timeText(end)}`, 'quiet'),
  ];
  const legend = `${formatAge(slots.width)} a bar`;
  const room = width - lineWidth(line) - legend.length;
  if (width < legendFrom || room < 1) return line;
  return [...line, span(' '.repeat(room)), span(legend, 'quiet')];
}

function barSign(share: number, steps: string): string {
  const signs = Array.from(steps);
  const step = Math.ceil(share * signs.length);
  return step === 0 ? ' ' : (signs[Math.min(step, signs.length) - 1] ?? ' ');
}

/** Joins neighbours of one colour. */
function joined(spans: readonly Span[]): Line {
  const line: Span[] = [];
  for (const part of spans) {
    const before = line.at(-1);
    if (before?.token === part.token && before !== undefined) {
      line[line.length - 1] = { ...part, text: before.text + part.text };
    } else line.push(part);
  }
  return line;
}

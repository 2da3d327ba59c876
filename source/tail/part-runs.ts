import { spanAt, type Spans } from './coverage.ts';
import type { Step } from './join-page.ts';
import type { Known } from './known.ts';
import { overlaps } from './overlap.ts';

/** Pages that may have run ahead of the stream when a gap is given up. */
const mostPages = 20;

/**
 * A step that gives a gap up, without the lines that may stand on both its sides: a page had brought
 * them before the stream did, and it was not found out where they meet. Those before the gap go. With
 * ids, no line has two places.
 * @param before the gaps before the step.
 */
export function partRuns<Line>(before: Spans, step: Step<Line>, known: Known<Line>): Step<Line> {
  const { state, change } = step;
  const { spans, numbered, options } = state;
  if (numbered || spans === before) return step;
  if (change !== undefined && (change.put.length > 0 || change.drop !== undefined)) return step;
  const index = spans.findLastIndex(
    ({ from, below }) =>
      below?.kind === 'missing' && before[spanAt(before, from)]?.below?.kind === 'filling',
  );
  const upper = spans[index];
  const lower = spans[index - 1];
  if (upper === undefined || lower === undefined) return step;
  const most = mostPages * options.pageSize;
  const older = known.upTo(lower.to, most).filter(({ place }) => place >= lower.from);
  const newer = known.from(upper.from, most).filter(({ place }) => place <= upper.to);
  const rowsOf = (placed: typeof older) => placed.map(({ row }) => row);
  const first = overlaps(rowsOf(older), rowsOf(newer)).find((at) => at >= 0);
  const start = first === undefined ? undefined : older[first];
  if (first === undefined || start === undefined) return step;
  const last = older[first - 1];
  const kept = last === undefined ? [] : [{ ...lower, to: last.place }];
  const above = last === undefined ? { ...upper, below: lower.below } : upper;
  const parted = [...spans.slice(0, index - 1), ...kept, above, ...spans.slice(index + 1)];
  return {
    ...step,
    state: { ...state, spans: parted },
    change: { put: [], lean: 'newer', drop: [start.place, lower.to], spans: parted },
  };
}

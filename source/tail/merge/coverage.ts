import { fillingState, type GapReason, type GapState } from '../arena/gap.ts';
import { maxPlace, isAdjacent, minPlace, type Place } from '../arena/place.ts';

/**
 * A stretch of the log of which every line is known. Spans stand in order and never touch; what
 * lies between two of them is a gap. A hole in the ids inside a span is none: the service had no
 * line there.
 */
export interface KnownSpan {
  readonly from: Place;
  readonly to: Place;
  /** Known lines behind `to` that do not vouch for their neighbours; see {@link doubt}. */
  readonly reach?: Place | undefined;
  /** The gap under this span; undefined for the lowest, which has only older history below. */
  readonly below: GapState | undefined;
}

export type Spans = readonly KnownSpan[];

/** Adds a stretch that is known without a gap, joining the spans it meets. */
export function cover(spans: Spans, from: Place, to: Place): Spans {
  const under = spans.filter((span) => span.to < from && !isAdjacent(span.to, from));
  const over = spans.filter((span) => span.from > to && !isAdjacent(to, span.from));
  const met = spans.slice(under.length, spans.length - over.length);
  const [bottom] = met;
  const top = met.at(-1);
  const end = top === undefined ? to : maxPlace(top.to, to);
  const joined: KnownSpan = {
    from: bottom === undefined ? from : minPlace(bottom.from, from),
    to: end,
    reach: top?.reach !== undefined && top.reach > end ? top.reach : undefined,
    below: bottom === undefined ? gapInside(under, over) : bottom.below,
  };
  const [above, ...rest] = over;
  if (above === undefined) return [...under, joined];
  return [...under, joined, { ...above, below: above.below ?? fillingState }, ...rest];
}

/** State of the gap under a span that meets no other. */
function gapInside(under: Spans, over: Spans): GapState | undefined {
  if (under.length === 0) return undefined;
  return over[0]?.below ?? fillingState;
}

/**
 * Says of the lines behind `place`, in the newest span, that others may be missing among them: a
 * stream that broke may have delivered them out of order.
 */
export function doubt(spans: Spans, place: Place): Spans {
  const top = spans.at(-1);
  if (top === undefined || place >= top.to || place < top.from) return spans;
  return [...spans.slice(0, -1), { ...top, to: place, reach: top.reach ?? top.to }];
}

/** Index of the span that `place` lies in; -1 when it lies in none. */
export function spanAt(spans: Spans, place: Place): number {
  return spans.findLastIndex((span) => span.from <= place && place <= span.to);
}

/**
 * Gives the gap under span `index` up. When the line last seen before it has been met, there is no
 * gap after all, only lines whose order is in doubt.
 */
export function giveUp(spans: Spans, index: number, why: GapReason): Spans {
  const span = spans[index];
  const under = spans[index - 1];
  if (span === undefined || under === undefined) return spans;
  if (under.reach !== undefined && span.from <= under.reach) {
    return cover(spans, under.to, span.from);
  }
  return spans.with(index, { ...span, below: { kind: 'missing', why } });
}

/** Forgets everything before `place`. */
export function forgetBefore(spans: Spans, place: Place): Spans {
  const kept = spans.filter((span) => (span.reach ?? span.to) >= place);
  const [bottom, ...rest] = kept;
  if (bottom === undefined || (bottom === spans[0] && bottom.from >= place)) return kept;
  const from = maxPlace(bottom.from, place);
  return [{ ...bottom, from, to: maxPlace(bottom.to, from), below: undefined }, ...rest];
}

import { fillingState, type GapReason, type GapState } from './gap.ts';
import { isAdjacent, maxPlace, minPlace, type Place } from './place.ts';

/**
 * A range of the log of which every line is known. Spans are in order and never touch; between two
 * of them is a gap. Lines may be known in a gap.
 */
export interface KnownSpan {
  readonly from: Place;
  readonly to: Place;
  /** The gap under this span; undefined for the lowest, which has only older history below. */
  readonly below: GapState | undefined;
}

export type Spans = readonly KnownSpan[];

/** Adds a range that is known without a gap, joining the spans it meets. */
export function cover(spans: Spans, from: Place, to: Place): Spans {
  if (from > to) return spans;
  const under = spans.filter((span) => span.to < from && !isAdjacent(span.to, from));
  const over = spans.filter((span) => span.from > to && !isAdjacent(to, span.from));
  const met = spans.slice(under.length, spans.length - over.length);
  const [bottom] = met;
  const top = met.at(-1);
  const joined: KnownSpan = {
    from: bottom === undefined ? from : minPlace(bottom.from, from),
    to: top === undefined ? to : maxPlace(top.to, to),
    below: bottom === undefined ? gapInside(under, over) : bottom.below,
  };
  const [above, ...rest] = over;
  if (above === undefined) return [...under, joined];
  return [...under, joined, { ...above, below: above.below ?? fillingState }, ...rest];
}

/** Returns the state of the gap under a span that meets no other. */
function gapInside(under: Spans, over: Spans): GapState | undefined {
  if (under.length === 0) return undefined;
  return over[0]?.below ?? fillingState;
}

/** Returns the index of the span that `place` lies in; -1 when it lies in none. */
export function spanAt(spans: Spans, place: Place): number {
  return spans.findLastIndex((span) => span.from <= place && place <= span.to);
}

/** Gives up the gap under span `index`. */
export function giveUp(spans: Spans, index: number, why: GapReason): Spans {
  const span = spans[index];
  if (span?.below === undefined) return spans;
  return spans.with(index, { ...span, below: { kind: 'missing', why } });
}

/** Forgets everything before `place`, a line that stays. */
export function forgetBefore(spans: Spans, place: Place): Spans {
  const kept = spans.filter((span) => span.to >= place);
  const [bottom, ...rest] = kept;
  if (bottom === undefined || (bottom === spans[0] && bottom.from >= place)) return kept;
  if (bottom.from > place) return beginningAt(kept, place, undefined);
  return [{ ...bottom, from: place, below: undefined }, ...rest];
}

/** Forgets everything behind `after` and before `place`, a line that stays. */
export function forgetBetween(spans: Spans, after: Place, place: Place, why: GapReason): Spans {
  const below: GapState = { kind: 'missing', why };
  const under = spans.filter(({ from }) => from <= after).map((span) => upTo(span, after));
  const over = spans.filter(({ to }) => to >= place);
  const [bottom, ...rest] = over;
  if (bottom === undefined || bottom.from > place)
    return [...under, ...beginningAt(over, place, below)];
  return [...under, { ...bottom, from: place, below }, ...rest];
}

/** Returns spans with a line under them, which was known in a gap. */
function beginningAt(spans: Spans, place: Place, below: GapState | undefined): Spans {
  const [first, ...rest] = cover(spans, place, place);
  return first === undefined ? spans : [{ ...first, below }, ...rest];
}

function upTo(span: KnownSpan, place: Place): KnownSpan {
  return span.to <= place ? span : { ...span, to: place };
}

/** Returns the spans without what lies behind `place`, which is no longer certain. */
export function doubtBehind(spans: Spans, place: Place): Spans {
  const top = spans.at(-1);
  if (top === undefined || top.to <= place) return spans;
  if (top.from <= place) return [...spans.slice(0, -1), { ...top, to: place }];
  return cover(spans.slice(0, -1), place, place);
}

/** Returns the spans with all gaps being fetched again that were given up. */
export function refetchGaps(spans: Spans): Spans {
  return spans.map((span) => {
    const { below } = span;
    const isGivenUp = below?.kind === 'missing' && below.why === 'unanswered';
    return isGivenUp ? { ...span, below: fillingState } : span;
  });
}

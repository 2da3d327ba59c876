import { cover } from './coverage.ts';
import type { Step } from './join-page.ts';
import type { MergeState } from './merge-state.ts';
import { withoutLoose } from './loose-page.ts';
import { passKnown } from './pass-known.ts';
import { gapRoom } from './place-page.ts';
import { comparePlaces, maxPlace, type Place, shiftPlace } from '../arena/place.ts';
import { placeOf, renumbered } from './renumber.ts';
import type { PlacedRow, LogRow } from '../arena/row.ts';
import type { Known } from './known.ts';

/** Lines among which one with the same id is looked for, on a stream whose history has none. */
const nearLines = 64;

/** Takes lines of the open stream in. Since its first line, the stream has left none out. */
export function takeLive<Line>(
  state: MergeState<Line>,
  rows: readonly LogRow<Line>[],
  known: Known<Line>,
): Step<Line> {
  if (rows.length === 0) return { state, change: undefined };
  if (!state.numbered || rows.some((row) => row.id === undefined)) {
    return takeByArrival({ ...state, numbered: false }, rows, known);
  }
  const numbered = renumbered(state, rows, known);
  const put = rows
    .map((row) => ({ place: placeOf(numbered, row), row }))
    .sort((left, right) => comparePlaces(left.place, right.place));
  return took(numbered, put.filter(unknownIn(numbered, known)));
}

/** Lines that a stream sends again from before the oldest known one are left to history. */
function unknownIn<Line>(
  { spans, live }: MergeState<Line>,
  known: Known<Line>,
): (placed: PlacedRow<Line>) => boolean {
  const [bottom] = spans;
  const top = spans.at(-1);
  return ({ place }) => {
    if (bottom === undefined || top === undefined || place > (top.reach ?? top.to)) return true;
    if (place < bottom.from) return bottom.from === live.from;
    return known.from(place, 1)[0]?.place !== place;
  };
}

/** Lines without ids stand behind each other as they come. */
function takeByArrival<Line>(
  state: MergeState<Line>,
  rows: readonly LogRow<Line>[],
  known: Known<Line>,
): Step<Line> {
  const top = state.spans.at(-1);
  const near = top === undefined ? [] : known.upTo(top.to, nearLines);
  const ids = new Set(near.map(({ row }) => row.id));
  const isNew = (row: LogRow<Line>): boolean => {
    if (row.id === undefined) return true;
    const isKnown = ids.has(row.id);
    ids.add(row.id);
    return !isKnown;
  };
  const fresh = rows.filter(isNew);
  const { state: joined, drop } = withoutLoose(state, fresh[0], known);
  const { passed, live } = passKnown(joined, fresh, known);
  const end = maxPlace(top?.to ?? 0, state.given);
  const first = shiftPlace(end, live.from === undefined ? gapRoom : 1);
  const put = fresh.slice(passed).map((row, index) => ({ place: shiftPlace(first, index), row }));
  const step = took({ ...joined, live }, put);
  return step.change === undefined ? step : { ...step, change: { ...step.change, drop } };
}

/** Enters lines that are new, in order. */
function took<Line>(state: MergeState<Line>, put: readonly PlacedRow<Line>[]): Step<Line> {
  const [first] = put;
  const last = put.at(-1);
  if (first === undefined || last === undefined) return { state, change: undefined };
  const from = state.live.from ?? first.place;
  let { spans } = state;
  // A line from before the first one of this connection was late: it vouches for itself alone.
  for (const { place } of put) if (place < from) spans = cover(spans, place, place);
  const next = extended({ ...state, spans }, from, last.place);
  return { state: next, change: { put, lean: 'older', drop: undefined, spans: next.spans } };
}

/** The stream has left nothing out from its first line up to `last`. */
function extended<Line>(state: MergeState<Line>, from: Place, last: Place): MergeState<Line> {
  return {
    ...state,
    spans: cover(state.spans, from, maxPlace(from, last)),
    live: { ...state.live, from },
    given: maxPlace(state.given, last),
    start: state.start ?? from,
    // With a live line at hand, what is missing before it is asked for instead of the newest page.
    head: state.head === 'wanted' ? 'known' : state.head,
  };
}

/**
 * The state after lines of the open stream whose places rise from `first` to `last`, behind all
 * known ones; undefined when more than that has to be known of them.
 */
export function takeRun<Line>(
  state: MergeState<Line>,
  first: Place,
  last: Place,
): MergeState<Line> | undefined {
  const { numbered, live, spans } = state;
  const top = spans.at(-1);
  const isBehind = top !== undefined && first > (top.reach ?? top.to);
  if (!numbered || live.from === undefined || !isBehind) return undefined;
  return extended(state, live.from, last);
}

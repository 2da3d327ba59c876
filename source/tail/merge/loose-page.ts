import type { Change, Known } from './known.ts';
import type { MergeState } from './merge-state.ts';
import { compareAge } from './order.ts';
import type { LogRow } from '../arena/row.ts';

/** The state without the newest run, and what that changes. */
interface Dropped<Line> {
  readonly state: MergeState<Line>;
  readonly drop: Change<Line>['drop'];
}

/**
 * Without ids, newest pages that joined nothing may lie behind the first line of the stream, which
 * would then stand above newer ones: they are taken out, and come again.
 */
export function withoutLoose<Line>(
  state: MergeState<Line>,
  first: LogRow<Line> | undefined,
  known: Known<Line>,
): Dropped<Line> {
  const { live, spans } = state;
  const top = spans.at(-1);
  if (first === undefined || live.from !== undefined || top === undefined) {
    return { state, drop: undefined };
  }
  const oldest = known.from(top.from, 1)[0]?.row;
  const age = oldest && compareAge(first, oldest);
  const isNew = live.since === undefined || top.from > live.since;
  const isBehind = age === undefined || age === 0 ? live.since !== undefined : age < 0;
  const isLoose = isNew && isBehind;
  return isLoose ? dropTop(state) : { state, drop: undefined };
}

/** Takes the newest run out; where offsets were counted from it, the end is looked for again. */
export function dropTop<Line>(state: MergeState<Line>): Dropped<Line> {
  const { paging } = state;
  const top = state.spans.at(-1);
  if (top === undefined) return { state, drop: undefined };
  const spans = state.spans.slice(0, -1);
  const drop = [top.from, top.to] as const;
  const anchor = paging.kind === 'oldest-first' ? paging.anchor : undefined;
  if (paging.kind !== 'oldest-first' || anchor === undefined || anchor.place < top.from) {
    return { state: { ...state, spans }, drop };
  }
  const search = { low: anchor.offset, step: state.pageSize, high: undefined };
  return { state: { ...state, spans, paging: { ...paging, anchor: undefined, search } }, drop };
}

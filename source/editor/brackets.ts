import type { EditorState } from '@codemirror/state';
import { parsedSpans } from './highlight.ts';
import type { PositionSpan } from './picture.ts';

/** Pairs of opening and closing brackets. */
const brackets = '()[]{}';

/** Code units on either side of a bracket that are searched for its counterpart. */
const maxDistance = 10_000;

/**
 * Returns the bracket before or else after the cursor, and its counterpart; empty when one of them
 * is missing or too far away. A bracket in a string or comment only matches another one there.
 */
export function findMatchingBrackets(state: EditorState): readonly PositionSpan[] {
  const { head, empty } = state.selection.main;
  if (!empty) return [];
  for (const at of [head - 1, head]) {
    const counterpart = findCounterpart(state, at);
    if (counterpart !== undefined) return [at, counterpart].map((from) => ({ from, to: from + 1 }));
  }
  return [];
}

function findCounterpart(state: EditorState, at: number): number | undefined {
  const { length } = state.doc;
  const index = at < 0 || at >= length ? -1 : brackets.indexOf(state.sliceDoc(at, at + 1));
  if (index < 0) return undefined;
  const step = isOpening(index) ? 1 : -1;
  const from = step > 0 ? at : Math.max(0, at - maxDistance);
  const to = step > 0 ? Math.min(length, at + 1 + maxDistance) : at + 1;
  const text = state.sliceDoc(from, to);
  const isQuoted = quotedTest(state, from, to);
  const isStartQuoted = isQuoted(at);
  let depth = 0;
  for (let place = at + step; place >= from && place < to; place += step) {
    const candidate = brackets.indexOf(text.charAt(place - from));
    if (candidate < 0 || isQuoted(place) !== isStartQuoted) continue;
    if (isOpening(candidate) === isOpening(index)) depth += 1;
    else if (depth > 0) depth -= 1;
    else return candidate >> 1 === index >> 1 ? place : undefined;
  }
  return undefined;
}

function isOpening(index: number): boolean {
  return index % 2 === 0;
}

/** Returns a test of whether a position in the range is inside a string or comment. */
function quotedTest(state: EditorState, from: number, to: number): (position: number) => boolean {
  const quotedUnits = new Uint8Array(to - from);
  for (const span of parsedSpans(state, from, to)) {
    if (span.kind === 'string' || span.kind === 'comment') {
      quotedUnits.fill(1, span.from - from, span.to - from);
    }
  }
  return (position) => quotedUnits[position - from] === 1;
}

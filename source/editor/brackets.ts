import type { EditorState } from '@codemirror/state';
import { surelyHighlighted } from './highlight.ts';
import type { CellSpan } from './picture.ts';

/** Each that opens, before the one that closes it. */
const brackets = '()[]{}';

/** Code units on either side of a bracket in which its other one is looked for. */
const farthest = 10_000;

/**
 * The bracket before or else behind the cursor, and the one that belongs to it; none where one of
 * them is missing or too far away. Brackets in strings and comments belong only to such.
 */
export function matchedBrackets(state: EditorState): readonly CellSpan[] {
  const { head, empty } = state.selection.main;
  if (!empty) return [];
  for (const at of [head - 1, head]) {
    const other = otherBracket(state, at);
    if (other !== undefined) return [at, other].map((from) => ({ from, to: from + 1 }));
  }
  return [];
}

function otherBracket(state: EditorState, at: number): number | undefined {
  const { length } = state.doc;
  const index = at < 0 || at >= length ? -1 : brackets.indexOf(state.sliceDoc(at, at + 1));
  if (index < 0) return undefined;
  const step = opens(index) ? 1 : -1;
  const from = step > 0 ? at : Math.max(0, at - farthest);
  const to = step > 0 ? Math.min(length, at + 1 + farthest) : at + 1;
  const text = state.sliceDoc(from, to);
  const isQuoted = quotedBetween(state, from, to);
  const quoted = isQuoted(at);
  let depth = 0;
  for (let place = at + step; place >= from && place < to; place += step) {
    const found = brackets.indexOf(text.charAt(place - from));
    if (found < 0 || isQuoted(place) !== quoted) continue;
    if (opens(found) === opens(index)) depth += 1;
    else if (depth > 0) depth -= 1;
    else return found >> 1 === index >> 1 ? place : undefined;
  }
  return undefined;
}

function opens(index: number): boolean {
  return index % 2 === 0;
}

/** Whether a position between two others is in a string or comment. */
function quotedBetween(
  state: EditorState,
  from: number,
  to: number,
): (position: number) => boolean {
  const quoted = new Uint8Array(to - from);
  for (const span of surelyHighlighted(state, from, to)) {
    if (span.kind === 'string' || span.kind === 'comment') {
      quoted.fill(1, span.from - from, span.to - from);
    }
  }
  return (position) => quoted[position - from] === 1;
}

import type { LineTest, TextSpan } from '../../../tail/query/log-query.ts';
import type { Guard } from '../../time/clock.ts';

/** Texts whose spans are remembered: some screens full. */
const mostTexts = 1000;
/** Longer ones are not kept in memory for it. */
const longestText = 8192;
/** Milliseconds that the spans of a line may take: they are asked for while it is drawn. */
const limit = 20;
const mostEnded = 3;

/**
 * A test whose spans never hold up who draws: those of an expression are found under a bound, and
 * none are any more when lines have exceeded it.
 */
export function highlightTest(test: LineTest, guard: Guard): LineTest {
  if (test.isCheap) return test;
  let known = new Map<string, readonly TextSpan[]>();
  let ended = 0;
  const find = (text: string): readonly TextSpan[] => {
    if (ended >= mostEnded || test.mayMatch?.(text) === false) return [];
    // Once more: it may have been the machine that had no time.
    for (let tries = 0; tries < 2; tries += 1) {
      const run = guard(() => test.spans(text), limit);
      if (run.ok) return run.value;
    }
    ended += 1;
    return [];
  };
  return {
    ...test,
    spans(text) {
      const before = known.get(text);
      if (before !== undefined) return before;
      const spans = find(text);
      if (known.size >= mostTexts) known = new Map();
      if (text.length <= longestText) known.set(ownText(text), spans);
      return spans;
    },
  };
}

/** A part of a long text would keep all of that in memory; what it is joined with would not. */
function ownText(text: string): string {
  return ` ${text}`.slice(1);
}

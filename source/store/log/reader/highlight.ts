import type { LineMatcher, TextSpan } from '../../../tail/query/log-query.ts';
import type { Guard } from '../../time/clock.ts';

/** Texts in the cache of spans: several screens. */
const maxTexts = 1000;
/** Characters of the longest text in the cache. */
const maxTextLength = 8192;
/** Milliseconds to find the spans of one line, which happens while it is drawn. */
const timeLimit = 20;
const maxTimeouts = 3;

/**
 * Returns a test whose spans never delay drawing. The spans of an expensive expression are found
 * within a time limit; after several timeouts no spans are found any more.
 */
export function highlightTest(test: LineMatcher, guard: Guard): LineMatcher {
  if (test.isCheap) return test;
  let cache = new Map<string, readonly TextSpan[]>();
  let timeouts = 0;
  const find = (text: string, from?: number, to?: number): readonly TextSpan[] => {
    if (timeouts >= maxTimeouts || test.mayMatch?.(text) === false) return [];
    // Try twice, because a busy machine can cause a timeout too.
    for (let tries = 0; tries < 2; tries += 1) {
      const run = guard(() => test.spans(text, from, to), timeLimit);
      if (run.ok) return run.value;
    }
    timeouts += 1;
    return [];
  };
  return {
    ...test,
    spans(text, from = 0, to = maxTextLength) {
      if (from > 0 || to !== maxTextLength) return find(text, from, to);
      const cachedSpans = cache.get(text);
      if (cachedSpans !== undefined) return cachedSpans;
      const spans = find(text);
      if (cache.size >= maxTexts) cache = new Map();
      if (text.length <= maxTextLength) cache.set(copyText(text), spans);
      return spans;
    },
  };
}

/** Copies a text, because a slice of a longer string would keep all of that string in memory. */
function copyText(text: string): string {
  return ` ${text}`.slice(1);
}

import type { TextSpan } from '../../tail/query/log-query.ts';
import type { Line, Span } from './line.ts';

/**
 * Highlights the matches of a search in a line. Neighbouring spans are searched as one text, because
 * a match may change its colour in the middle; `isSearched` leaves spans such as line numbers out.
 */
export function highlightLine(
  line: Line,
  find: (text: string) => readonly TextSpan[],
  isSearched: (span: Span) => boolean = () => true,
): Line {
  const spans: Span[] = [];
  let group: Span[] = [];
  const flush = () => {
    const ranges = group.length === 0 ? [] : find(group.map(({ text }) => text).join(''));
    spans.push(...(ranges.length === 0 ? group : cutSpans(group, ranges)));
    group = [];
  };
  for (const part of line) {
    if (isSearched(part)) group.push(part);
    else {
      flush();
      spans.push(part);
    }
  }
  flush();
  return spans;
}

/** Cuts spans at the ends of sorted ranges of their joined text, and marks the parts inside. */
function cutSpans(group: readonly Span[], ranges: readonly TextSpan[]): readonly Span[] {
  const parts: Span[] = [];
  let start = 0;
  for (const part of group) {
    const end = start + part.text.length;
    let done = start;
    for (const [from, to] of ranges) {
      const [first, last] = [Math.max(from, done), Math.min(to, end)];
      if (last <= first) continue;
      if (first > done) parts.push({ ...part, text: part.text.slice(done - start, first - start) });
      parts.push({ text: part.text.slice(first - start, last - start), token: 'match' });
      done = last;
    }
    if (done < end || part.text === '')
      parts.push({ ...part, text: part.text.slice(done - start) });
    start = end;
  }
  return parts;
}

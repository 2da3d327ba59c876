import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { highlightLine } from '../text/highlight.ts';
import type { Line, Span } from '../text/line.ts';
import { useDeck } from './context.ts';

interface FoundText {
  readonly at: number | undefined;
  readonly highlight: (line: Line, isSearched?: (span: Span) => boolean) => Line;
}

/**
 * Searches the lines of a pane and scrolls to each match that the search jumps to. Returns the line
 * of the current match, and a function that highlights the matches in a drawn line.
 * @param lines searched text; the same array as long as it is unchanged, where it may be long.
 * @param from first visible line, or the line of the cursor.
 * @param reveal scrolls to a line.
 */
export function useTextSearch(
  lines: readonly string[],
  from: number,
  reveal: (line: number) => void,
): FoundText {
  const { textSearch } = useDeck();
  const { query, at, jumps } = useStore(textSearch.state);
  const shownJumps = useRef(jumps);
  useEffect(() => textSearch.show(lines, from));
  useEffect(() => {
    if (shownJumps.current === jumps) return;
    shownJumps.current = jumps;
    if (at !== undefined) reveal(at);
  });
  const find = (text: string) => textSearch.spans(text);
  return {
    at,
    highlight: (line, isSearched) =>
      query === undefined ? line : highlightLine(line, find, isSearched),
  };
}

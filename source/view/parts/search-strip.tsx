import { useStore } from 'zustand';
import { textCount } from '../command/text-search.ts';
import { type Line, span } from '../text/line.ts';
import { useDeck } from './context.ts';
import { Row } from './row.tsx';

/** The row above a searched text: `/ 8080  1 of 2`. */
export function SearchStrip({ width }: { readonly width: number }) {
  const { textSearch } = useDeck();
  const { query, problem } = useStore(textSearch.state);
  const line: Line =
    problem === undefined
      ? [
          span(query?.regex === true ? '/re: ' : '/ ', 'info'),
          span(query?.text ?? ''),
          span(`  ${textCount(textSearch)}`, 'quiet'),
        ]
      : [span(problem.sentence, 'bad')];
  return <Row line={line} width={width} />;
}

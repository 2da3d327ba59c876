import { applyCellSgr, type StyledRow } from '../../../source/terminal/screen/cell-style.ts';

// eslint-disable-next-line no-control-regex
const sequence = /\x1b\[([\d;:]*)m/;

/** Returns the spans of a text with SGR. */
export function parseSpans(text: string): StyledRow {
  let style = 0;
  return text.split(sequence).map((part, index) => {
    if (index % 2 === 0) return { text: part, style };
    style = applyCellSgr(style, part);
    return { text: '', style };
  });
}

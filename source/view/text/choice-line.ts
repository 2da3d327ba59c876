import { cellWidth } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { type Line, plain } from './line.ts';

const gap = '  ';

/** Draws words in a row of `width` cells, as many as fit whole, and the number of the others: `api  web  +3`. */
export function choiceLine(choices: readonly string[], width: number): Line {
  const words = choices.map((word) => sanitize(word));
  for (let count = words.length; count > 0; count -= 1) {
    const rest = words.length - count;
    const shown = [...words.slice(0, count), ...(rest === 0 ? [] : [`+${rest}`])].join(gap);
    if (cellWidth(shown) <= width) return plain(shown);
  }
  return plain(`+${words.length}`);
}

import type { PaletteRow } from '../../../store/prompts/palette.ts';
import { cellWidth, padCells, truncateCells } from '../../../terminal/screen/cells.ts';
import { Graphemes } from '../../../terminal/screen/graphemes.ts';
import { sanitize } from '../../../terminal/screen/sanitize.ts';
import { column } from '../../text/fit.ts';
import { atStop, type Line, type Span, span } from '../../text/line.ts';
import type { Token } from '../../text/theme.ts';

const graphemes = new Graphemes();

/** Widths of the columns in cells; narrow boxes explain only the chosen row, below it. */
const cells = { mark: 2, name: 20, explanation: 28, key: 10 };

/** Said where nothing matches: the palette holds the commands of one pane. */
export const noPaletteMatch = 'No match here. The help searches all panes.';

/**
 * Draws the shown rows of the palette; of rows that one synonym found, only the first names it.
 * @param first number of the rows above the shown ones.
 */
export function paletteLines(
  rows: readonly PaletteRow[],
  chosen: PaletteRow | undefined,
  width: number,
  first = 0,
): readonly Line[] {
  return rows.flatMap((row, index) => {
    const isChosen = row === chosen;
    const isRepeated = row.note !== undefined && row.note === rows[index - 1]?.note;
    const shown = isRepeated && isWide(width) ? { ...row, note: undefined } : row;
    const stop = { kind: 'row', index: first + index, name: row.id } as const;
    const line = atStop(paletteLine(shown, isChosen, width), stop);
    const explanation = explanationOf(row);
    if (!isChosen || isWide(width) || explanation === '') return [line];
    return [line, [span(column(`    ${explanation}`, width), 'quiet')]];
  });
}

/** Rows that the explanation of the chosen row takes below it. */
export function explanationRows(width: number): number {
  return isWide(width) ? 0 : 1;
}

function isWide(width: number): boolean {
  return width >= cells.mark + cells.name + cells.explanation + cells.key;
}

/** Draws `> Close shop-2   deployment  delete = close   X`; a long name replaces its explanation. */
export function paletteLine(row: PaletteRow, isChosen: boolean, width: number): Line {
  const hasExplanations = isWide(width);
  const before = hasExplanations
    ? cells.name + cells.explanation
    : Math.max(cells.name, width - cells.mark - cells.key);
  const explanation = explanationOf(row);
  const isShort = cellWidth(sanitize(row.name)) < cells.name;
  const name = hasExplanations && isShort && explanation !== '' ? cells.name : before;
  return [
    span(isChosen ? '> ' : '  ', isChosen ? 'focus' : undefined),
    ...markedColumn(shownName(row), row.marks ?? [], name, isChosen ? 'focus' : undefined),
    ...(name < before ? [span(column(explanation, before - name), 'quiet')] : []),
    span(row.key, 'info'),
  ];
}

/** Returns the name of a row, that of a command with a capital letter. */
function shownName({ name, isCommand }: PaletteRow): string {
  return isCommand === true ? name.charAt(0).toUpperCase() + name.slice(1) : name;
}

/** Kinds of the objects of verbs, short enough to stand beside a synonym. */
const objectKinds: ReadonlySet<string> = new Set(['deployment', 'file']);

/** Returns the kind of a row and the synonym that found it; the help text gives way to a synonym. */
function explanationOf({ explanation, note }: PaletteRow): string {
  if (note === undefined) return explanation;
  return objectKinds.has(explanation) ? `${explanation}  ${note}` : note;
}

/**
 * Fits a name into `width` cells, the last one blank, with the marked characters highlighted. The
 * marks are offsets in the raw name, so a name that is changed to be drawn has none.
 */
export function markedColumn(
  name: string,
  marks: readonly number[],
  width: number,
  token: Token | undefined,
): readonly Span[] {
  const text = sanitize(name) === name ? truncateCells(name, Math.max(0, width - 1)) : undefined;
  if (text === undefined || marks.length === 0) return [span(column(name, width), token)];
  // A cut name ends with an ellipsis in place of a letter.
  const end = text === name ? text.length : text.length - 1;
  const spans: Span[] = [];
  for (const { segment, index } of graphemes.segment(padCells(text, width))) {
    const isMarked = marks.some(
      (mark) => mark < end && mark >= index && mark < index + segment.length,
    );
    const own = isMarked ? 'match' : token;
    const last = spans.at(-1);
    if (last !== undefined && last.token === own) {
      spans[spans.length - 1] = { ...last, text: last.text + segment };
    } else spans.push(span(segment, own));
  }
  return spans;
}

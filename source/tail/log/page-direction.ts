/** Rules 5 and 7: the direction of pages whose lines have no ids and no times. */
import type { Place } from '../arena/place.ts';
import { type LogRow, type PlacedRow, rowsOf } from '../arena/row.ts';
import { spanAt } from '../arena/spans.ts';
import { alignedAt } from './alignment.ts';
import type { Held } from './held.ts';
import type { SortedPage } from './offsets.ts';
import type { Pages } from './pages.ts';

/** Rows of a page that tell its direction, where the stream has as many. */
const fewestTold = 3;

/**
 * Finds out which way pages run by lines of the stream. Until then, history stands as the service lists
 * it; it is taken out once it turns out to stand upside down.
 */
export class PageDirection<Line> {
  readonly #held: Held<Line>;
  readonly #pages: Pages<Line>;
  /** The last line of the history that was shown before the direction was known. */
  #guess: Place | undefined;
  /** The last page at offset 0. */
  #first: readonly LogRow<Line>[] = [];

  constructor(held: Held<Line>, pages: Pages<Line>) {
    this.#held = held;
    this.#pages = pages;
  }

  /** Returns whether a page may be joined to lines: one of unknown direction only to its like. */
  isUsable(lines: readonly PlacedRow<Line>[]): boolean {
    return this.#pages.offsets.isDirected || lines.length === 0 || this.#isGuess(lines);
  }

  #isGuess(lines: readonly PlacedRow<Line>[]): boolean {
    const end = lines.at(-1)?.place;
    if (this.#guess === undefined || end === undefined) return false;
    const { spans } = this.#held;
    return spanAt(spans, this.#guess) === spanAt(spans, end);
  }

  /** Lines of pages were shown. */
  noteShown(put: readonly PlacedRow<Line>[]): void {
    const end = put.at(-1)?.place;
    if (!this.#pages.offsets.isDirected && end !== undefined) this.#guess = end;
  }

  /**
   * Returns true when a page tells the direction: lines of the stream stand in it in one direction alone,
   * or in one direction behind the history; or new lines came in at one end of the page at offset 0.
   * @param below the lines before the live ones.
   */
  find(
    { rows, slice }: SortedPage<Line>,
    live: readonly PlacedRow<Line>[],
    below: readonly PlacedRow<Line>[],
  ): boolean {
    if (this.#pages.offsets.isDirected) {
      this.#endGuess();
      return false;
    }
    const direction = this.#byLines(rows, live, below) ?? this.#byGrowth(rows, slice.offset);
    if (direction === undefined) return false;
    this.#pages.offsets.direct(direction);
    this.#endGuess();
    return true;
  }

  #byLines(
    rows: readonly LogRow<Line>[],
    live: readonly PlacedRow<Line>[],
    below: readonly PlacedRow<Line>[],
  ): 'ascending' | 'descending' | undefined {
    const isGuess = this.#isGuess(below);
    const sure = live.length === 0 && !isGuess ? below : live;
    // Two frames that were swapped look like two rows of a page that is upside down.
    if (sure.length === 0 || rows.length < Math.min(fewestTold, sure.length)) return undefined;
    const history = rowsOf(below);
    const rising = sightOf(rows, rowsOf(sure), history);
    const falling = sightOf(
      rows.toReversed(),
      rowsOf(sure),
      isGuess ? history.toReversed() : history,
    );
    const by = rising.isFound === falling.isFound ? 'isBehind' : 'isFound';
    if (rising[by] === falling[by]) return undefined;
    return falling[by] ? 'descending' : 'ascending';
  }

  /** New lines push others back in a page, or out at its beginning. */
  #byGrowth(rows: readonly LogRow<Line>[], offset: number): 'ascending' | 'descending' | undefined {
    if (offset !== 0) return undefined;
    const moved = alignedAt(rows, this.#first) ?? 0;
    this.#first = rows;
    return moved === 0 ? undefined : moved > 0 ? 'descending' : 'ascending';
  }

  /** Takes lines out that were shown upside down. */
  #endGuess(): void {
    const guess = this.#guess === undefined ? -1 : spanAt(this.#held.spans, this.#guess);
    const span = this.#held.spans[guess];
    this.#guess = undefined;
    if (span === undefined || !this.#pages.offsets.isFalling) return;
    // A single line does not stand upside down.
    if (this.#held.upTo(span.to, 2).filter(({ place }) => place >= span.from).length < 2) return;
    this.#held.takeOut(span.from, span.to);
    this.#pages.reopen();
  }
}

/** Returns whether a page has lines of the stream, and has them behind the history. */
function sightOf(
  page: readonly LogRow<unknown>[],
  sure: readonly LogRow<unknown>[],
  history: readonly LogRow<unknown>[],
) {
  const begin = alignedAt(page, sure);
  const before = begin === undefined ? undefined : alignedAt(page, history);
  const isBehind = before !== undefined && (begin ?? 0) + sure.length > before + history.length;
  return { isFound: begin !== undefined, isBehind };
}

import { isolateHistory } from '@codemirror/commands';
import { EditorSelection, type EditorState, type Text } from '@codemirror/state';
import type { EditSession } from './editing.ts';
import {
  Finder,
  maxCountedMatches,
  checkQuery,
  type FindProblem,
  type FindQuery,
  type FindState,
  type FindMatch,
} from './find.ts';
import type { PositionSpan } from './picture.ts';

/** The longest document in code units whose matches are counted after each change. */
const maxAutoCountLength = 1 << 20;

/** Code units around a part of a long line that are searched for matches reaching into it. */
const contextLength = 1000;

interface Count {
  readonly doc: Text;
  /** The start of each match, in order. */
  readonly starts: readonly number[];
}

/** The search in an edited text. */
export class EditorSearch {
  readonly #editing: EditSession;
  #find: Finder | undefined;
  #count: Count | undefined;

  constructor(editing: EditSession) {
    this.#editing = editing;
  }

  /**
   * Searches from the selection's start and selects the match. Returns any problem of the query.
   */
  find(query: FindQuery): FindProblem | undefined {
    const problem = checkQuery(query);
    this.clear();
    if (problem !== undefined) return problem;
    const find = new Finder(query);
    this.#find = find;
    const { doc, selection } = this.#editing.state;
    this.#select(find.next(doc, selection.main.from));
    return undefined;
  }

  /** Selects the next match and wraps around. Returns false when there is none. */
  next(): boolean {
    const { doc, selection } = this.#editing.state;
    return this.#select(this.#find?.next(doc, selection.main.to));
  }

  /** Selects the previous match and wraps around. Returns false when there is none. */
  previous(): boolean {
    const { doc, selection } = this.#editing.state;
    return this.#select(this.#find?.previous(doc, selection.main.from));
  }

  /**
   * Replaces the selected match, if any, and selects the next. Returns true when it replaced one.
   */
  replaceOne(text: string): boolean {
    const { doc, selection } = this.#editing.state;
    const { from, to } = selection.main;
    const match = this.#find?.next(doc, from);
    if (match === undefined || this.#find === undefined) return false;
    const isSelected = match.from === from && match.to === to;
    if (isSelected) {
      const insert = this.#editing.state.toText(this.#find.replacement(match, text));
      this.#editing.update({
        changes: { from, to, insert },
        selection: EditorSelection.cursor(from + insert.length),
        userEvent: 'input.replace',
        annotations: isolateHistory.of('full'),
      });
    }
    this.next();
    return isSelected;
  }

  /** Replaces all matches in one undo step. Returns their number. */
  replaceAll(text: string): number {
    const find = this.#find;
    if (find === undefined) return 0;
    const { state } = this.#editing;
    const changes = Array.from(find.matches(state.doc, 0, state.doc.length), (match) => ({
      from: match.from,
      to: match.to,
      insert: state.toText(find.replacement(match, text)),
    }));
    if (changes.length === 0) return 0;
    this.#editing.update({
      changes,
      userEvent: 'input.replace.all',
      annotations: isolateHistory.of('full'),
    });
    return changes.length;
  }

  clear(): void {
    this.#find = undefined;
    this.#count = undefined;
  }

  /** The state of the search; undefined without one. */
  get state(): FindState | undefined {
    const find = this.#find;
    if (find === undefined) return undefined;
    const { state } = this.#editing;
    if (state.doc.length <= maxAutoCountLength) this.#countMatches(find, state.doc);
    const starts = this.#count?.doc === state.doc ? this.#count.starts : undefined;
    return {
      query: find.query,
      current: starts && selectedMatchNumber(starts, state, find),
      total: starts && Math.min(starts.length, maxCountedMatches),
      hasMore: starts !== undefined && starts.length > maxCountedMatches,
    };
  }

  /** Returns the matches that overlap the range between two positions. */
  matchesBetween(from: number, to: number): readonly PositionSpan[] {
    if (this.#find === undefined) return [];
    const { doc } = this.#editing.state;
    const start = Math.max(doc.lineAt(from).from, from - contextLength);
    const end = Math.min(doc.lineAt(to).to, to + contextLength);
    return [...this.#find.matches(doc, start, end)];
  }

  #select(match: FindMatch | undefined): boolean {
    const { doc } = this.#editing.state;
    if (this.#find !== undefined) this.#countMatches(this.#find, doc);
    if (match === undefined) return false;
    this.#editing.isMarkSet = false;
    this.#editing.update({
      selection: EditorSelection.range(match.from, match.to),
      userEvent: 'select.search',
    });
    return true;
  }

  #countMatches(find: Finder, doc: Text): void {
    if (this.#count?.doc === doc) return;
    const starts: number[] = [];
    for (const { from } of find.matches(doc, 0, doc.length)) {
      starts.push(from);
      if (starts.length > maxCountedMatches) break;
    }
    this.#count = { doc, starts };
  }
}

/** Returns the number of the selected match, counted from 1. */
function selectedMatchNumber(
  starts: readonly number[],
  state: EditorState,
  find: Finder,
): number | undefined {
  const { from, to } = state.selection.main;
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  if (starts[low] !== from) return undefined;
  const [match] = find.matches(state.doc, from, state.doc.lineAt(to).to);
  return match?.from === from && match.to === to ? low + 1 : undefined;
}

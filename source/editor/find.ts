import type { Text } from '@codemirror/state';
import { RegExpCursor } from '@codemirror/search';

/** A text or regular expression to find. */
export interface FindQuery {
  readonly text: string;
  readonly regex: boolean;
  readonly matchCase: boolean;
}

/** A match of a query in a document. */
export interface FindMatch {
  readonly from: number;
  readonly to: number;
  /** The text of the match, followed by its capture groups. */
  readonly groups: readonly (string | undefined)[];
}

/** The state of a search. */
export interface FindState {
  readonly query: FindQuery;
  /** The number of the selected match, counted from 1; undefined when no match is selected. */
  readonly current: number | undefined;
  /** The number of matches; undefined after a change of a large document, until the next search. */
  readonly total: number | undefined;
  /** True when counting stopped at `total`. */
  readonly hasMore: boolean;
}

/** The reason why a query is invalid, and the next step. */
export interface FindProblem {
  readonly sentence: string;
  readonly next: string;
}

/** Matches, including empty ones, that one search visits at most. */
const maxSteps = 200_000;

export const maxCountedMatches = 99_999;

/** A compiled query. Empty matches are ignored. */
export class Finder {
  readonly query: FindQuery;
  readonly #pattern: string;

  /** Requires a valid query. */
  constructor(query: FindQuery) {
    this.query = query;
    this.#pattern = query.regex
      ? query.text
      : query.text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  }

  /** Yields the matches between two positions in order. */
  *matches(doc: Text, from: number, to: number): Generator<FindMatch, void> {
    const cursor = new RegExpCursor(
      doc,
      this.#pattern,
      { ignoreCase: !this.query.matchCase },
      from,
      to,
    );
    for (let step = 0; step < maxSteps; step += 1) {
      cursor.next();
      if (cursor.done) return;
      const { value } = cursor;
      if (value.to > value.from) yield { from: value.from, to: value.to, groups: value.match };
    }
  }

  /** Returns the first match at or after a position, or else the first of the document. */
  next(doc: Text, from: number): FindMatch | undefined {
    return this.#first(doc, from, doc.length) ?? this.#first(doc, 0, doc.length);
  }

  /** Returns the last match that ends at or before a position, or else the last of the document. */
  previous(doc: Text, to: number): FindMatch | undefined {
    return this.#lastBefore(doc, to) ?? this.#lastBefore(doc, doc.length);
  }

  /**
   * Returns the replacement of a match. For a regular expression, `$1` and `$&` insert its groups.
   */
  replacement({ groups }: FindMatch, text: string): string {
    if (!this.query.regex) return text;
    return text.replaceAll(/\$(\$|&|\d{1,2})/g, (whole, name: string) => {
      if (name === '$') return '$';
      const index = name === '&' ? 0 : Number(name);
      return index < groups.length ? (groups[index] ?? '') : whole;
    });
  }

  #first(doc: Text, from: number, to: number): FindMatch | undefined {
    for (const match of this.matches(doc, from, to)) return match;
    return undefined;
  }

  /** Searches backwards in growing ranges, because the nearest match is usually close. */
  #lastBefore(doc: Text, to: number): FindMatch | undefined {
    let end = to;
    for (let length = 1 << 14; end > 0; length *= 8) {
      const start = length >= end ? 0 : doc.lineAt(end - length).from;
      let last: FindMatch | undefined;
      for (const match of this.matches(doc, start, to)) {
        if (match.to <= to) last = match;
      }
      if (last !== undefined) return last;
      end = start;
    }
    return undefined;
  }
}

/** Returns the problem of an invalid query; undefined for a valid one. */
export function checkQuery({ text, regex }: FindQuery): FindProblem | undefined {
  if (text === '') return { sentence: 'The search text is empty.', next: 'Type the text to find.' };
  if (!regex) return undefined;
  try {
    // The flags are those of `RegExpCursor`.
    void new RegExp(text, 'gmu');
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*\/[a-z]*: /s, '') : '';
    return {
      sentence: `Invalid regular expression: ${reason || 'syntax error'}.`,
      next: 'Tab switches to plain text.',
    };
  }
}

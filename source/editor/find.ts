import type { Text } from '@codemirror/state';
import { RegExpCursor } from '@codemirror/search';

export interface FindQuery {
  readonly text: string;
  readonly regex: boolean;
  readonly matchCase: boolean;
}

export interface Match {
  readonly from: number;
  readonly to: number;
  /** The text of the match and of the groups of its expression. */
  readonly groups: readonly (string | undefined)[];
}

/** Where a search stands. */
export interface FindState {
  readonly query: FindQuery;
  /** Which match is selected, counted from 1; undefined where none is. */
  readonly current: number | undefined;
  /** Undefined after a change of a large document, until the next match is asked for. */
  readonly total: number | undefined;
  /** Whether there are more than `total`: counting ended there. */
  readonly more: boolean;
}

/** What a query cannot be searched for, and what helps. */
export interface BadQuery {
  readonly sentence: string;
  readonly next: string;
}

/** Matches, and places without one, that one search looks at, at most. */
const mostSteps = 200_000;

export const mostCounted = 99_999;

/** A valid query, ready to look for matches. Empty matches are none. */
export class Find {
  readonly query: FindQuery;
  readonly #pattern: string;

  /** For a query with which `problemOf` finds no problem. */
  constructor(query: FindQuery) {
    this.query = query;
    this.#pattern = query.regex
      ? query.text
      : query.text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  }

  /** The matches between two positions, in order. */
  *matches(doc: Text, from: number, to: number): Generator<Match, void> {
    const cursor = new RegExpCursor(
      doc,
      this.#pattern,
      { ignoreCase: !this.query.matchCase },
      from,
      to,
    );
    for (let step = 0; step < mostSteps; step += 1) {
      cursor.next();
      if (cursor.done) return;
      const { value } = cursor;
      if (value.to > value.from) yield { from: value.from, to: value.to, groups: value.match };
    }
  }

  /** The first match at or after a position, or else the first of all. */
  next(doc: Text, from: number): Match | undefined {
    return this.#first(doc, from, doc.length) ?? this.#first(doc, 0, doc.length);
  }

  /** The last match that ends at or before a position, or else the last of all. */
  previous(doc: Text, to: number): Match | undefined {
    return this.#lastBefore(doc, to) ?? this.#lastBefore(doc, doc.length);
  }

  /** What a match is replaced by: in an expression's replacement, `$1` and `$&` stand for groups. */
  replacement({ groups }: Match, text: string): string {
    if (!this.query.regex) return text;
    return text.replaceAll(/\$(\$|&|\d{1,2})/g, (whole, name: string) => {
      if (name === '$') return '$';
      const index = name === '&' ? 0 : Number(name);
      return index < groups.length ? (groups[index] ?? '') : whole;
    });
  }

  #first(doc: Text, from: number, to: number): Match | undefined {
    for (const match of this.matches(doc, from, to)) return match;
    return undefined;
  }

  /** Searched in growing stretches backwards: the nearest match is mostly near. */
  #lastBefore(doc: Text, to: number): Match | undefined {
    let end = to;
    for (let length = 1 << 14; end > 0; length *= 8) {
      const start = length >= end ? 0 : doc.lineAt(end - length).from;
      let last: Match | undefined;
      for (const match of this.matches(doc, start, to)) {
        if (match.to <= to) last = match;
      }
      if (last !== undefined) return last;
      end = start;
    }
    return undefined;
  }
}

/** Why a query cannot be searched for; undefined where it can. */
export function problemOf({ text, regex }: FindQuery): BadQuery | undefined {
  if (text === '') return { sentence: 'There is nothing to find.', next: 'Type what to find.' };
  if (!regex) return undefined;
  try {
    // As the search itself makes it.
    void new RegExp(text, 'gmu');
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*\/[a-z]*: /s, '') : '';
    return {
      sentence: `This is no regular expression: ${reason || 'it cannot be read'}.`,
      next: 'Tab searches for it as text.',
    };
  }
}

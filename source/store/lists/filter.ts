import { findWord, type SearchedTexts } from './searched-texts.ts';

/** The properties of a row that a filter matches. */
export interface FilteredRow {
  /** Text in lower case. */
  readonly text: string;
  readonly state?: string | undefined;
  /** Word that the row shows instead of its state. */
  readonly shownState?: string | undefined;
  readonly services?: readonly { readonly name: string }[];
}

/** A parsed filter of a list. */
export interface ListFilter {
  /** True when the filter reads the state of a row, which is slow to derive for a long list. */
  readonly asksState: boolean;
  /** True when the filter reads nothing but the text of a row. */
  readonly asksTextOnly: boolean;
  matches(row: FilteredRow): boolean;
  /** Returns the indexes of the texts that the words without a field match. */
  findTexts(searched: SearchedTexts): readonly number[];
}

/** A word of a filter, in lower case. */
interface Term {
  readonly isInverted: boolean;
  readonly field: 'state' | 'service' | undefined;
  readonly word: string;
}

/**
 * Parses a list filter: words that must all occur, case-insensitively. A leading `!` inverts a
 * word, `\!` is a literal `!`. `state:word` and `service:word` match the beginning of the state or
 * of a service's name. An unfinished term, like `!` or `state:`, matches every row.
 */
export function parseListFilter(typed: string): ListFilter {
  const words = typed.toLowerCase().split(/\s+/);
  const terms = words.flatMap(parseTerm);
  const texts = terms.filter(({ field }) => field === undefined);
  const fields = terms.filter(({ field }) => field !== undefined);
  return {
    asksState: words.some((term) => /^!?state:/.test(term)),
    asksTextOnly: fields.length === 0,
    matches: (row) =>
      texts.every(({ word, isInverted }) => row.text.includes(word) !== isInverted) &&
      fields.every((term) => matchesField(row, term)),
    findTexts(searched) {
      const { texts: all } = searched;
      const first = texts.find(({ isInverted }) => !isInverted);
      const others = texts.filter((term) => term !== first);
      const found =
        first === undefined
          ? [...all.keys()].filter((index) => all[index] !== undefined)
          : findWord(searched, first.word);
      return others.reduce(
        (some, { word, isInverted }) =>
          some.filter((index) => all[index]?.includes(word) !== isInverted),
        found,
      );
    },
  };
}

function parseTerm(text: string): readonly Term[] {
  const isInverted = text.startsWith('!');
  const body = isInverted ? text.slice(1) : text;
  const [, name, value = body] = /^(state|service):(.*)$/.exec(body) ?? [];
  if (value === '') return [];
  const field = name === 'state' || name === 'service' ? name : undefined;
  return [{ isInverted, field, word: field === undefined ? value.replace(/^\\!/, '!') : value }];
}

function matchesField(
  { state, shownState, services }: FilteredRow,
  { field, word, isInverted }: Term,
): boolean {
  const hasPrefix = (name: string | undefined): boolean =>
    name?.toLowerCase().startsWith(word) === true;
  const isMatch =
    field === 'state'
      ? hasPrefix(state) || hasPrefix(shownState)
      : services?.some(({ name }) => hasPrefix(name)) === true;
  return isMatch !== isInverted;
}

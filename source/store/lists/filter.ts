/** The properties of a row that a filter matches. */
export interface FilteredRow {
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
  matches(row: FilteredRow): boolean;
}

type Predicate = (row: FilteredRow) => boolean;

/**
 * Parses a list filter: words that must all occur, case-insensitively. A leading `!` inverts a
 * word, `\!` is a literal `!`. `state:word` and `service:word` match the beginning of the state or
 * of a service's name. An unfinished term, like `!` or `state:`, matches every row.
 */
export function parseListFilter(typed: string): ListFilter {
  const terms = typed.toLowerCase().split(/\s+/);
  const predicates = terms.flatMap(parseTerm);
  return {
    asksState: terms.some((term) => /^!?state:/.test(term)),
    matches: (row) => predicates.every((predicate) => predicate(row)),
  };
}

function parseTerm(term: string): readonly Predicate[] {
  const isInverted = term.startsWith('!');
  const body = isInverted ? term.slice(1) : term;
  const [, field, value = body] = /^(state|service):(.*)$/.exec(body) ?? [];
  if (value === '') return [];
  const predicate = createPredicate(field, value);
  return [isInverted ? (row) => !predicate(row) : predicate];
}

function createPredicate(field: string | undefined, value: string): Predicate {
  const hasPrefix = (word: string) => word.toLowerCase().startsWith(value);
  if (field === 'state')
    return ({ state, shownState }) =>
      (state !== undefined && hasPrefix(state)) ||
      (shownState !== undefined && hasPrefix(shownState));
  if (field === 'service')
    return ({ services }) => services?.some(({ name }) => hasPrefix(name)) === true;
  const word = value.replace(/^\\!/, '!');
  return ({ text }) => text.toLowerCase().includes(word);
}

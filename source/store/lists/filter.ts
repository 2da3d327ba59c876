/** What a filter is asked about a row. */
export interface FilteredRow {
  readonly text: string;
  readonly state?: string | undefined;
  readonly services?: readonly { readonly name: string }[];
}

/** A filter as it was typed, ready to be asked about rows. */
export interface ListFilter {
  /** Whether it asks for the state, which of a long list costs something to tell. */
  readonly asksState: boolean;
  matches(row: FilteredRow): boolean;
}

type Holds = (row: FilteredRow) => boolean;

/**
 * Reads a list filter: words that must all occur, case-insensitively; a leading `!` inverts a
 * word, `\!` is a literal `!`; `state:word` and `service:word` ask for the beginning of the state
 * and of a service's name alone (screens, "Prompt"). A term that is not typed to its end yet,
 * like `!` or `state:`, asks nothing.
 */
export function parseListFilter(typed: string): ListFilter {
  const terms = typed.toLowerCase().split(/\s+/);
  const all = terms.flatMap(readTerm);
  return {
    asksState: terms.some((term) => /^!?state:/.test(term)),
    matches: (row) => all.every((holds) => holds(row)),
  };
}

function readTerm(term: string): readonly Holds[] {
  const inverted = term.startsWith('!');
  const body = inverted ? term.slice(1) : term;
  const [, field, value = body] = /^(state|service):(.*)$/.exec(body) ?? [];
  if (value === '') return [];
  const holds = termOf(field, value);
  return [inverted ? (row) => !holds(row) : holds];
}

function termOf(field: string | undefined, value: string): Holds {
  const begins = (word: string) => word.toLowerCase().startsWith(value);
  if (field === 'state') return ({ state }) => state !== undefined && begins(state);
  if (field === 'service')
    return ({ services }) => services?.some(({ name }) => begins(name)) === true;
  const word = value.replace(/^\\!/, '!');
  return ({ text }) => text.toLowerCase().includes(word);
}

/** A filter as it was typed, ready to be asked about rows. */
export interface ListFilter {
  /** Whether a row passes, given its text and its state word. */
  matches(text: string, state?: string): boolean;
}

/**
 * Reads a list filter: words that must all occur, case-insensitively; a leading `!` inverts a
 * word, `\!` is a literal `!`; `state:word` asks the state alone (screens, "Prompt").
 */
export function parseListFilter(typed: string): ListFilter {
  const terms = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '' && term !== '!')
    .map((term) => {
      const inverted = term.startsWith('!');
      const word = (inverted ? term.slice(1) : term).replace(/^\\!/, '!');
      const state = /^state:(.*)$/.exec(word)?.[1];
      return { inverted, state, word };
    });
  return {
    matches(text, state = '') {
      const lower = text.toLowerCase();
      return terms.every((term) => {
        const hit =
          term.state === undefined
            ? lower.includes(term.word)
            : state.toLowerCase().startsWith(term.state);
        return hit !== term.inverted;
      });
    },
  };
}

/** A row of a list in words. */
export interface RowWords {
  readonly text: string;
  /** The part that is worth saying again when it changes. */
  readonly state: string;
}

/** Joins the words of a row; unknown ones are left out. */
export function joinWords(words: readonly string[]): string {
  return words.filter((word) => word !== '' && word !== '-').join(', ');
}

/** A line to be typed in the row above the keys. */
export interface Prompt {
  /** What is wanted, with what stands between it and the text: `New file: `. */
  readonly label: string;
  /** Texts that Tab may complete what was typed to. */
  readonly completions?: (text: string) => readonly string[] | Promise<readonly string[]>;
  /**
   * What it does is not asked about again: Enter counts only once the prompt could be read (screens,
   * rule 4).
   */
  readonly writes?: boolean;
  /** Called with what was typed when Enter ends it, unless that is nothing. */
  submit(text: string): void;
}

/** A prompt that is open, with what was typed so far. */
export interface Prompting {
  readonly kind: 'prompt';
  readonly prompt: Prompt;
  readonly text: string;
  readonly caret: number;
  /** When its frame was seen on the terminal. */
  readonly shownAt: number;
}

export function prompting(prompt: Prompt, text = ''): Prompting {
  return { kind: 'prompt', prompt, text, caret: text.length, shownAt: Number.POSITIVE_INFINITY };
}

/** What was typed, as far as all texts it may become agree. */
export function completed(text: string, candidates: readonly string[]): string {
  const fitting = candidates.filter((candidate) => candidate.startsWith(text));
  const [first] = fitting;
  if (first === undefined) return text;
  let end = first.length;
  for (const candidate of fitting) {
    while (!candidate.startsWith(first.slice(0, end))) end -= 1;
  }
  // Half a character is none.
  if (/[\uD800-\uDBFF]$/.test(first.slice(0, end))) end -= 1;
  return first.slice(0, Math.max(end, text.length));
}

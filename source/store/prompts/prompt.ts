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
  /** Its keys, where they are more than those of every prompt. */
  readonly hints?: readonly (readonly [key: string, label: string])[];
  /** The prompt that Tab goes to, which reads the same line in another way. */
  readonly turned?: () => Prompt;
  /** What was entered before, newest last, each with the prompt that reads it: Up and Down. */
  readonly entered?: () => readonly EnteredText[];
  /** What comes of the line while it is typed. */
  readonly outcome?: PromptStatus;
  /** Enter hands over an empty line as well. */
  readonly takesNothing?: boolean;
  /** Called when there is another line to read, or another prompt to read it. */
  changed?(text: string): void;
  /** Called when it is left without Enter. */
  left?(): void;
  /** Called with what was typed when Enter ends it, unless that is nothing. */
  submit(text: string): void;
}

/** What a prompt tells of its line while that is typed. */
export interface PromptStatus {
  readonly subscribe: (changed: () => void) => () => void;
  /** A few words for the end of the row. */
  text(): string;
  /** Why the line cannot be taken, and what to do: Enter then leaves the prompt open. */
  problem(): { readonly sentence: string; readonly next: string } | undefined;
}

export interface EnteredText {
  readonly prompt: Prompt;
  readonly text: string;
}

/** A prompt that is open, with what was typed so far. */
export interface Prompting {
  readonly kind: 'prompt';
  readonly prompt: Prompt;
  readonly text: string;
  readonly caret: number;
  /** When its frame was seen on the terminal. */
  readonly shownAt: number;
  /** How many entries ago the line was entered; 0 where it is typed. */
  readonly recalled: number;
  /** What was typed before entries were brought back. */
  readonly typed: EnteredText | undefined;
}

export function prompting(prompt: Prompt, text = ''): Prompting {
  return {
    kind: 'prompt',
    prompt,
    text,
    caret: text.length,
    shownAt: Number.POSITIVE_INFINITY,
    recalled: 0,
    typed: undefined,
  };
}

/** The prompt with what was entered one step further ago, or less far ago (-1). */
export function recallEntered(open: Prompting, step: 1 | -1): Prompting {
  const entered = open.prompt.entered?.() ?? [];
  const recalled = Math.max(0, Math.min(open.recalled + step, entered.length));
  if (recalled === open.recalled) return open;
  const typed = open.recalled === 0 ? { prompt: open.prompt, text: open.text } : open.typed;
  const line = recalled === 0 ? typed : entered.at(-recalled);
  return { ...open, ...line, caret: line?.text.length ?? 0, recalled, typed };
}

/** The prompt that reads the same line in the other way, where there is one. */
export function turnedPrompt(open: Prompting): Prompting {
  return { ...open, prompt: open.prompt.turned?.() ?? open.prompt };
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

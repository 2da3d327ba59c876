/** A prompt for one line of text, shown in the row above the key hints. */
export interface Prompt {
  /** Label with its separator: `New file: `. */
  readonly label: string;
  /** Returns the candidates that Tab completes the text to. */
  readonly completions?: (text: string) => readonly string[] | Promise<readonly string[]>;
  /**
   * True when Enter writes without a confirmation; Enter is then ignored until the prompt could be
   * read.
   */
  readonly writes?: boolean;
  /** True to show a mark in place of each character. */
  readonly isSecret?: boolean;
  /** Key hints beside those of every prompt. */
  readonly hints?: readonly (readonly [key: string, label: string])[];
  /**
   * Returns the prompt that Tab switches to and that reads the same text in another way, unless there is
   * something to complete.
   */
  readonly turned?: () => Prompt;
  /** Set in a prompt for a path: Up and Down recall those that were entered in any prompt for such a path. */
  readonly pathOf?: PathOwner;
  /** Returns the entry history for Up and Down, newest last. */
  readonly entered?: () => readonly EnteredText[];
  /** Live status of the typed text. */
  readonly outcome?: PromptStatus;
  /** True when Enter submits an empty text too. */
  readonly takesNothing?: boolean;
  /** Called when the text changes or another prompt takes over. */
  changed?(text: string): void;
  /** Called when the prompt closes without Enter. */
  left?(): void;
  /** Called with the text on Enter, unless it is empty. */
  submit(text: string): void;
}

/** Owner of the files that a path names. */
export type PathOwner = 'machine' | 'service';

/** The live status of a prompt's text. */
export interface PromptStatus {
  readonly subscribe: (changed: () => void) => () => void;
  /** Returns a few words for the end of the row. */
  text(): string;
  /** Returns the reason why Enter leaves the prompt open, and the next step. */
  problem(): PromptProblem | undefined;
}

/** Problem with an input, and the next step. */
export interface PromptProblem {
  readonly sentence: string;
  readonly next: string;
}

export interface EnteredText {
  readonly prompt: Prompt;
  readonly text: string;
}

/** An open prompt with its text. */
export interface Prompting {
  readonly kind: 'prompt';
  readonly prompt: Prompt;
  readonly text: string;
  readonly caret: number;
  /** Time at which the terminal showed the prompt. */
  readonly shownAt: number;
  /** Steps back in the entry history; 0 for typed text. */
  readonly recalled: number;
  /** The typed text, while an entry of the history replaces it. */
  readonly typed: EnteredText | undefined;
  /** True while the default text is selected; typed text then replaces it. */
  readonly isSelected?: boolean;
  /** Problem with the submitted text, shown until the text changes. */
  readonly problem?: PromptProblem | undefined;
  /** Words between which Tab could not decide, shown until the text changes. */
  readonly choices?: readonly string[] | undefined;
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

/** Returns a prompt that opens with a default text, selected so that typing replaces it. */
export function promptingDefault(prompt: Prompt, text: string): Prompting {
  return { ...prompting(prompt, text), isSelected: text !== '' };
}

/** Returns a prompt that is open again with a text that was submitted, and its problem. */
export function failedPrompt(prompt: Prompt, text: string, problem: PromptProblem): Prompting {
  return { ...prompting(prompt, text), problem };
}

/** Returns a prompt after a key: nothing is selected, and another text has no known problem or choices. */
export function changedPrompt(before: Prompting, after: Prompting): Prompting {
  const isSame = before.text === after.text;
  const problem = isSame ? after.problem : undefined;
  const choices = isSame ? after.choices : undefined;
  return { ...after, isSelected: false, problem, choices };
}

/** Returns a prompt after Tab: its text is extended as far as all candidates agree, else it names them. */
export function completedPrompt(open: Prompting, candidates: readonly string[]): Prompting {
  const text = completed(open.text, candidates);
  const matching = candidates.filter((candidate) => candidate.startsWith(text));
  // The part that is being typed begins behind a slash, a colon or a blank.
  const { length: start } = text.replace(/[^/:\s]*$/, '');
  const choices = matching.length > 1 ? matching.map((one) => one.slice(start)) : undefined;
  return { ...open, text, caret: text.length, choices };
}

/** Returns the prompt with the next older entry (1) or the next newer one (-1). */
export function recallEntered(
  open: Prompting,
  step: 1 | -1,
  entered: readonly EnteredText[] = open.prompt.entered?.() ?? [],
): Prompting {
  const recalled = Math.max(0, Math.min(open.recalled + step, entered.length));
  if (recalled === open.recalled) return open;
  const typed = open.recalled === 0 ? { prompt: open.prompt, text: open.text } : open.typed;
  const line = recalled === 0 ? typed : entered.at(-recalled);
  return { ...open, ...line, caret: line?.text.length ?? 0, recalled, typed };
}

/** Returns the prompt that reads the same text in another way, if there is one. */
export function turnedPrompt(open: Prompting): Prompting {
  return { ...open, prompt: open.prompt.turned?.() ?? open.prompt };
}

/** Extends the text to the longest common prefix of the candidates that start with it. */
export function completed(text: string, candidates: readonly string[]): string {
  const matching = candidates.filter((candidate) => candidate.startsWith(text));
  const [first] = matching;
  if (first === undefined) return text;
  let end = first.length;
  for (const candidate of matching) {
    while (!candidate.startsWith(first.slice(0, end))) end -= 1;
  }
  // Never split a surrogate pair.
  if (/[\uD800-\uDBFF]$/.test(first.slice(0, end))) end -= 1;
  return first.slice(0, Math.max(end, text.length));
}

/** The prompt of a search or a filter, which applies while it is typed. */
import type { Deck } from '../../store/deck/deck.ts';
import type { LineQueryKind } from '../../store/log/line-queries.ts';
import { keyName } from '../../store/prompts/key-names.ts';
import { type Prompt, type PromptStatus, prompting } from '../../store/prompts/prompt.ts';
import type { LineQuery } from '../../tail/query/log-query.ts';

/** A query that applies while it is typed. */
export interface LiveQuery {
  readonly kind: LineQueryKind;
  /** Returns the label of the prompt for a text or a regular expression. */
  readonly label: (regex: boolean) => string;
  /** The query that is edited; undefined for a new one. */
  readonly edited?: LineQuery | undefined;
  /** Count and problem of the query, shown once something was typed. */
  readonly outcome: PromptStatus;
  /** Returns queries that Tab completes a typed one to. */
  completions?(text: string): readonly string[];
  /** Applies the typed query; undefined while the text is empty. */
  set(query: LineQuery | undefined): void;
  /** Returns to the state before the prompt. */
  restore(): void;
  /** Applies an empty text that was entered. */
  submitNothing(): void;
  /** Called after Enter. */
  submitted?(): void;
}

/**
 * Opens the prompt of a query. Tab switches between text and regular expression.
 * @param begun text with which it opens.
 */
export function openQueryPrompt(
  { screen }: Pick<Deck, 'screen'>,
  live: LiveQuery,
  begun = live.edited?.text,
): void {
  const { kind, edited, outcome } = live;
  let isTyped = false;

  const promptOf = (regex: boolean): Prompt => ({
    label: live.label(regex),
    hints: [
      ['Enter', 'keep'],
      ['Tab', regex ? 'text' : 'regex'],
      ['Up/Down', 'history'],
      ['Esc', 'back'],
    ],
    takesNothing: true,
    completions: (text) => live.completions?.(text) ?? [],
    turned: () => promptOf(!regex),
    entered: () =>
      screen
        .getState()
        .queries[kind].map((query) => ({ prompt: promptOf(query.regex), text: query.text })),
    outcome: {
      subscribe: outcome.subscribe,
      text: () => (isTyped ? outcome.text() : ''),
      problem: () => (isTyped ? outcome.problem() : undefined),
    },
    changed(text) {
      isTyped = true;
      live.set(text === '' ? undefined : { text, regex });
    },
    left() {
      if (isTyped) live.restore();
    },
    submit(text) {
      if (text === '') live.submitNothing();
      else screen.reading.addQuery(kind, { text, regex });
      live.submitted?.();
    },
  });

  screen.overlay.open(prompting(promptOf(edited?.regex ?? false), begun));
}

/** Returns the message about a step without a search; `id` is the command that starts one. */
export function noSearchMessage(id: 'log.search' | 'text.search'): string {
  return `No search is active. ${keyName(id, '/')} starts a search.`;
}

import type { Deck } from '../../store/deck/deck.ts';
import { failedPrompt, type Prompt, type PromptProblem } from '../../store/prompts/prompt.ts';

/** Reports a problem with the input of a prompt. */
export type ReportProblem = (problem: PromptProblem, message?: string) => void;

/**
 * Returns a function that reports a problem with submitted input, and opens the prompt again with the
 * input. The prompt stays closed when the person has moved to another pane, view or box meanwhile.
 */
export function promptAgain(
  { screen, messages }: Pick<Deck, 'screen' | 'messages'>,
  prompt: Prompt,
  text: string,
): ReportProblem {
  const { focus, main } = screen.getState();
  return (problem, message = `${problem.sentence} ${problem.next}`) => {
    messages.say(message.trim(), 'bad');
    const now = screen.getState();
    const isHere = now.focus === focus && now.main === main && now.overlay === undefined;
    if (isHere) screen.overlay.open(failedPrompt(prompt, text, problem));
  };
}

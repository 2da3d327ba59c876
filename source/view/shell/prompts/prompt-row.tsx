import { Box, Text } from 'ink';
import { useSyncExternalStore } from 'react';
import type {
  Prompt,
  Prompting,
  PromptProblem,
  PromptStatus,
} from '../../../store/prompts/prompt.ts';
import { cellWidth } from '../../../terminal/screen/cells.ts';
import { sanitize } from '../../../terminal/screen/sanitize.ts';
import { choiceLine } from '../../text/choice-line.ts';
import { hintLine } from '../../text/hints.ts';
import { type Line, span } from '../../text/line.ts';
import { useDeck } from '../../parts/context.ts';
import { Field } from '../../parts/field.tsx';
import { Row } from '../../parts/row.tsx';
import { useShown } from '../../parts/use-shown.ts';
import { useWindowSize } from '../../parts/use-window-size.ts';
import { updatePrompt } from './prompt-keys.ts';

/** Minimum cells of the field; a narrower row hides the outcome. */
const minFieldWidth = 20;

/** Prompt in the row above the keys, with the outcome of the input at the end of the row. */
export function PromptRow({ prompting }: { readonly prompting: Prompting }) {
  const { columns, rows } = useWindowSize();
  const { screen } = useDeck();
  const { prompt, text, caret } = prompting;
  const outcome = useOutcome(prompt.outcome, (now) => now.text());
  useShown(prompt);
  const label = sanitize(prompt.label);
  const outcomeText = outcome === '' ? '' : ` ${outcome}`;
  const room = columns - cellWidth(outcomeText);
  const hasOutcome = outcomeText !== '' && room - cellWidth(label) >= minFieldWidth;
  return (
    <Box width={columns}>
      <Field
        prompt={label}
        at={{ x: 0, y: rows - 2, width: hasOutcome ? room : columns }}
        line={{ text: prompt.isSecret === true ? '*'.repeat(text.length) : text, caret }}
        isSelected={prompting.isSelected}
        // The field would hand back the marks of a secret.
        onEdit={
          prompt.isSecret === true
            ? undefined
            : (line) => updatePrompt(screen, prompting, { ...prompting, ...line })
        }
      />
      {hasOutcome && <Text wrap="truncate">{outcomeText}</Text>}
    </Box>
  );
}

/** The keys of a prompt, the words that Tab chooses from, or the reason why its input is invalid. */
export function PromptKeys(props: { readonly prompting: Prompting; readonly width: number }) {
  const { prompting, width } = props;
  const { prompt } = prompting;
  const inputProblem = useOutcome(prompt.outcome, (now) => problemText(now.problem(), width));
  const problem = inputProblem === '' ? problemText(prompting.problem, width) : inputProblem;
  const { choices } = prompting;
  const quiet =
    choices === undefined ? hintLine(promptHints(prompt), width) : choiceLine(choices, width);
  const line: Line = problem === '' ? quiet : [span(problem, 'bad')];
  return <Row line={line} width={width} />;
}

/** Returns the problem of the input, with the next step if it fits `width` cells. */
function problemText(problem: PromptProblem | undefined, width: number): string {
  if (problem === undefined) return '';
  const whole = sanitize(`${problem.sentence} ${problem.next}`);
  return cellWidth(whole) <= width ? whole : problem.sentence;
}

export function promptHints(prompt: Prompt): readonly (readonly [string, string])[] {
  return (
    prompt.hints ?? [
      ['Enter', 'continue'],
      ...(prompt.completions === undefined ? [] : [['Tab', 'complete'] as const]),
      ['Esc', 'cancel'],
    ]
  );
}

function useOutcome(
  outcome: PromptStatus | undefined,
  read: (outcome: PromptStatus) => string,
): string {
  return useSyncExternalStore(outcome?.subscribe ?? subscribeToNothing, () =>
    outcome === undefined ? '' : read(outcome),
  );
}

function subscribeToNothing(): () => void {
  return () => {};
}

import { Box, Text } from 'ink';
import { useSyncExternalStore } from 'react';
import type { PromptStatus, Prompt, Prompting } from '../../../store/prompts/prompt.ts';
import { cellWidth } from '../../../terminal/screen/cells.ts';
import { sanitize } from '../../../terminal/screen/sanitize.ts';
import { hintLine } from '../../text/hints.ts';
import { type Line, span } from '../../text/line.ts';
import { Field } from '../../parts/field.tsx';
import { Row } from '../../parts/row.tsx';
import { useShown } from '../../parts/use-shown.ts';
import { useWindowSize } from '../../parts/use-window-size.ts';

/** Cells that are left to what is typed before the outcome gives way. */
const leastTyped = 20;

/** A line to be typed, in the row above the keys, with what comes of it at the end of the row. */
export function PromptRow({ prompting }: { readonly prompting: Prompting }) {
  const { columns, rows } = useWindowSize();
  const { prompt, text, caret } = prompting;
  const outcome = useOutcome(prompt.outcome, (now) => now.text());
  useShown(prompt);
  const label = sanitize(prompt.label);
  const said = outcome === '' ? '' : ` ${outcome}`;
  const room = columns - cellWidth(said);
  const isSaid = said !== '' && room - cellWidth(label) >= leastTyped;
  return (
    <Box width={columns}>
      <Field
        prompt={label}
        at={{ x: 0, y: rows - 2, width: isSaid ? room : columns }}
        line={{ text, caret }}
      />
      {isSaid && <Text wrap="truncate">{said}</Text>}
    </Box>
  );
}

/** The keys while it is typed, or why the line cannot be taken. */
export function PromptKeys(props: { readonly prompt: Prompt; readonly width: number }) {
  const { prompt, width } = props;
  const problem = useOutcome(prompt.outcome, (now) => problemText(now, width));
  const line: Line = problem === '' ? hintLine(promptHints(prompt), width) : [span(problem, 'bad')];
  return <Row line={line} width={width} />;
}

/** What to do about it is said where there is room for it. */
function problemText(outcome: PromptStatus, width: number): string {
  const problem = outcome.problem();
  if (problem === undefined) return '';
  const whole = sanitize(`${problem.sentence} ${problem.next}`);
  return cellWidth(whole) <= width ? whole : problem.sentence;
}

export function promptHints(prompt: Prompt): readonly (readonly [string, string])[] {
  return (
    prompt.hints ?? [
      ['Enter', 'goes on'],
      ...(prompt.completions === undefined ? [] : [['Tab', 'completes'] as const]),
      ['Esc', 'cancels'],
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

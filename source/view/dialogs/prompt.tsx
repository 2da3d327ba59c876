import type { Prompt, Prompting } from '../../store/prompt.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import { Field } from '../parts/field.tsx';
import { useShown } from '../use-shown.ts';
import { useWindowSize } from '../use-window-size.ts';

/** A line to be typed, in the row above the keys. */
export function PromptRow({ prompting }: { readonly prompting: Prompting }) {
  const { columns, rows } = useWindowSize();
  const { prompt, text, caret } = prompting;
  useShown(prompt);
  return (
    <Field
      prompt={sanitize(prompt.label)}
      at={{ x: 0, y: rows - 2, width: columns }}
      line={{ text, caret }}
    />
  );
}

/** The keys while it is typed. */
export function promptHints({ completions }: Prompt): readonly (readonly [string, string])[] {
  return [
    ['Enter', 'goes on'],
    ...(completions === undefined ? [] : [['Tab', 'completes'] as const]),
    ['Esc', 'cancels'],
  ];
}

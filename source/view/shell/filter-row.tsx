import type { ListPane } from '../../store/lists/list-panes.ts';
import { useScreen } from '../parts/context.ts';
import { Field } from '../parts/field.tsx';
import { useWindowSize } from '../parts/use-window-size.ts';

/** Prompt of a list filter: typing filters the rows, Enter keeps the filter, Esc restores the last. */
export function FilterPrompt(props: { readonly pane: ListPane; readonly caret: number }) {
  const { columns, rows } = useWindowSize();
  const text = useScreen((state) => state.filters[props.pane]);
  return (
    <Field
      prompt="/"
      at={{ x: 0, y: rows - 2, width: columns }}
      line={{ text, caret: props.caret }}
    />
  );
}

/** Keys of the filter prompt. */
export const filterHints = [
  ['Enter', 'keep'],
  ['Up/Down', 'rows'],
  ['Esc', 'back'],
] as const;

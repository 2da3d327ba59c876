import type { ListPane } from '../../store/deck/screen/focus.ts';
import { useScreen } from '../parts/context.ts';
import { Field } from '../parts/field.tsx';
import { useWindowSize } from '../parts/use-window-size.ts';

/** The prompt of a list filter: rows narrow while it is typed, Enter keeps it, Esc restores. */
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

/** The keys while it is typed. */
export const filterHints = [
  ['Enter', 'keeps it'],
  ['Up/Down', 'rows'],
  ['Esc', 'back'],
] as const;

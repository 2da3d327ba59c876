import type { Overlay } from '../../store/deck/screen/overlay.ts';
import { useDeck, useScreen } from '../parts/context.ts';
import { Field } from '../parts/field.tsx';
import { useWindowSize } from '../parts/use-window-size.ts';
import { editFilter } from './edit-filter.ts';

/** Prompt of a list filter: typing filters the rows, Enter keeps the filter, Esc restores the last. */
export function FilterPrompt(props: { readonly overlay: Extract<Overlay, { kind: 'filter' }> }) {
  const { overlay } = props;
  const deck = useDeck();
  const { columns, rows } = useWindowSize();
  const text = useScreen((state) => state.filters[overlay.pane]);
  return (
    <Field
      prompt="/"
      at={{ x: 0, y: rows - 2, width: columns }}
      line={{ text, caret: overlay.caret }}
      onEdit={(line) => editFilter(deck, overlay, line)}
    />
  );
}

/** Keys of the filter prompt. */
export const filterHints = [
  ['Enter', 'keep'],
  ['Up/Down', 'rows'],
  ['Esc', 'back'],
] as const;

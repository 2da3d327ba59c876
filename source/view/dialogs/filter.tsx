import { useWindowSize } from 'ink';
import type { ListPane } from '../../store/screen.ts';
import { useConsole, useScreen } from '../context.ts';
import { Field } from '../parts/field.tsx';
import { setFilter } from '../prompt.ts';

/** The prompt of a list filter: rows narrow while it is typed, Enter keeps it, Esc restores. */
export function FilterPrompt({ pane }: { readonly pane: ListPane }) {
  const console = useConsole();
  const { columns, rows } = useWindowSize();
  const value = useScreen((state) => state.filters[pane]);
  return (
    <Field
      prompt="/"
      at={{ x: 0, y: rows - 2, width: columns }}
      value={value}
      onChange={(typed) => {
        setFilter(console, pane, typed);
      }}
      onSubmit={() => {
        console.screen.setState({ overlay: undefined });
      }}
    />
  );
}

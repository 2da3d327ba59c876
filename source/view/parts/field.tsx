import { Text } from 'ink';
import TextInput from 'ink-text-input';
import { useEffect } from 'react';
import { cellWidth } from '../../terminal/cells.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import type { Cell } from '../../terminal/screen.ts';
import { useKeys } from '../context.ts';
import { useTerminalCursor } from '../use-terminal-cursor.ts';

/**
 * A one-line text field. Keys typed between the one that opened it and its first frame wait until
 * it listens, so that type-ahead lands in the field.
 */
export function Field(props: {
  readonly prompt: string;
  /** Where the prompt stands on the screen, in the first of how many columns. */
  readonly at: Cell & { readonly width: number };
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onSubmit: () => void;
}) {
  const keys = useKeys();
  const { at } = props;
  const typed = cellWidth(props.prompt) + cellWidth(sanitize(props.value));
  useTerminalCursor({ x: at.x + Math.min(typed, at.width - 1), y: at.y });
  // Runs after the effects of its children: the input below is listening by then.
  useEffect(() => {
    keys.release();
  }, [keys]);
  return (
    // What is typed stands at the end.
    <Text wrap="truncate-start">
      {props.prompt}
      <TextInput value={props.value} onChange={props.onChange} onSubmit={props.onSubmit} />
    </Text>
  );
}

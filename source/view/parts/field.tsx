import { Text } from 'ink';
import TextInput from 'ink-text-input';
import { useEffect } from 'react';
import { useKeys } from '../context.ts';

/**
 * A one-line text field. Keys typed between the one that opened it and its first frame wait until
 * it listens, so that type-ahead lands in the field.
 */
export function Field(props: {
  readonly prompt: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onSubmit: () => void;
}) {
  const keys = useKeys();
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

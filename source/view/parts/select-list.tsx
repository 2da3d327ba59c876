import SelectInput from 'ink-select-input';
import { useMemo } from 'react';
import type { BoxShape } from '../text/box-shape.ts';
import { span } from '../text/line.ts';
import { BoxRow } from './box.tsx';

interface Item {
  readonly label: string;
  /** Unique in the list. */
  readonly value: string;
}

/**
 * A list inside a box, on ink-select-input: it takes the arrows and Enter that are passed on to Ink.
 * Without `focused`, it has no cursor and takes no keys.
 */
export function SelectList(props: {
  readonly items: readonly Item[];
  /** Maximum rows; the list scrolls in a circle. */
  readonly limit: number;
  readonly shape: BoxShape;
  readonly focused?: boolean;
  /** Index of the item under the cursor at first. */
  readonly initial?: number;
  readonly onMove?: (value: string) => void;
  readonly onSelect: (value: string) => void;
}) {
  const { items, limit, shape, focused = true, initial = 0, onMove, onSelect } = props;
  const item = useMemo(() => itemOf(shape, focused), [shape, focused]);
  return (
    <SelectInput
      items={[...items]}
      limit={limit}
      initialIndex={initial}
      isFocused={focused}
      indicatorComponent={NoIndicator}
      itemComponent={item}
      onHighlight={({ value }) => onMove?.(value)}
      onSelect={({ value }) => onSelect(value)}
    />
  );
}

function itemOf(shape: BoxShape, hasCursor: boolean) {
  return function ListItem(props: { readonly label: string; readonly isSelected?: boolean }) {
    const isChosen = hasCursor && props.isSelected === true;
    const token = isChosen ? 'focus' : undefined;
    return <BoxRow line={[span(`${isChosen ? '>' : ' '} ${props.label}`, token)]} shape={shape} />;
  };
}

/** Replaces the indicator of the list; the rows draw their own cursor. */
function NoIndicator() {
  return undefined;
}

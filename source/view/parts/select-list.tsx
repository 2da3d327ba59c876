import SelectInput from 'ink-select-input';
import { createContext, useContext, useMemo } from 'react';
import type { BoxShape } from '../text/box-shape.ts';
import { atStop, span } from '../text/line.ts';
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
  /** Value of the item under the cursor, from which clicks step to another one. */
  readonly current?: string | undefined;
  readonly onMove?: (value: string) => void;
  readonly onSelect: (value: string) => void;
}) {
  const { items, limit, shape, focused = true, initial = 0, onMove, onSelect } = props;
  const item = useMemo(() => itemOf(shape, focused), [shape, focused]);
  const { current } = props;
  const stops = useMemo(
    () => ({ values: items.map(({ value }) => value), current }),
    [items, current],
  );
  return (
    <StopsContext value={stops}>
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
    </StopsContext>
  );
}

/** The items of a list in order, and the one under its cursor. */
const StopsContext = createContext<{
  readonly values: readonly string[];
  readonly current: string | undefined;
}>({ values: [], current: undefined });

/** Returns the shorter way to an item: steps down, or up if negative. The list goes on in a circle. */
export function stepsTo(values: readonly string[], from: string | undefined, to: string): number {
  const count = values.length;
  const down = (values.indexOf(to) - Math.max(0, values.indexOf(from ?? '')) + count) % count;
  return down <= count - down ? down : down - count;
}

function itemOf(shape: BoxShape, hasCursor: boolean) {
  return function ListItem(props: Partial<Item> & { readonly isSelected?: boolean }) {
    const { label = '', value = '', isSelected = false } = props;
    const { values, current } = useContext(StopsContext);
    const isChosen = hasCursor && isSelected;
    const line = [span(`${isChosen ? '>' : ' '} ${label}`, isChosen ? 'focus' : undefined)];
    const index = values.indexOf(value);
    const steps = stepsTo(values, current, value);
    return (
      <BoxRow line={atStop(line, { kind: 'item', index, name: value, steps })} shape={shape} />
    );
  };
}

/** Replaces the indicator of the list; the rows draw their own cursor. */
function NoIndicator() {
  return undefined;
}

import { useEffect } from 'react';
import type { EditedLine } from '../text/line-editor.ts';
import { plain, span } from '../text/line.ts';
import { profileSpan } from '../text/status-line.ts';
import { boxWidth, FramedBox } from './box.tsx';
import { useDeck, useKeys } from './context.ts';
import { SelectList } from './select-list.tsx';

const maxRows = 10;

/** A box that picks an item: typing filters, arrows move, Enter chooses. */
export function PickerBox(props: {
  readonly title: string;
  readonly prompt: string;
  readonly line: EditedLine;
  /** The items that match the line. The cursor returns to the first one when their ids change. */
  readonly items: readonly {
    readonly id: string;
    readonly label: string;
    readonly choose: () => void;
  }[];
  readonly columns: number;
  readonly rows: number;
}) {
  const { title, prompt, line, items, columns, rows } = props;
  const deck = useDeck();
  const keys = useKeys();
  // Effects of children run first, so the list below already listens for keys.
  useEffect(() => {
    keys.release();
  }, [keys]);
  return (
    <FramedBox
      title={[profileSpan(deck.profile), span(`: ${title}`)]}
      field={{ prompt, line }}
      lines={items.length === 0 ? [plain('No match.')] : []}
      below={{
        rows: Math.min(items.length, maxRows),
        content:
          items.length > 0 ? (
            <SelectList
              items={items.map(({ id, label }) => ({ label, value: id }))}
              limit={maxRows}
              width={boxWidth(columns)}
              onSelect={(value) => items.find(({ id }) => id === value)?.choose()}
            />
          ) : undefined,
      }}
      hints={[
        ['Up/Down', ''],
        ['Enter', ''],
        ['Esc', 'cancel'],
      ]}
      columns={columns}
      rows={rows}
    />
  );
}

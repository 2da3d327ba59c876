import { useEffect, useMemo, useState } from 'react';
import { foundItems, type MenuItem, type OpenMenu } from '../../store/prompts/menu.ts';
import { boxShape } from '../text/box-shape.ts';
import { column, wrapWords } from '../text/fit.ts';
import { type Line, plain, span } from '../text/line.ts';
import { profileSpan } from '../text/status-line.ts';
import { BoxRow, FramedBox } from '../parts/box.tsx';
import { useDeck, useKeys } from '../parts/context.ts';
import { listRoom } from '../parts/list-box.tsx';
import { SelectList } from '../parts/select-list.tsx';
import { useChanges } from '../parts/use-changes.ts';
import { chooseItem } from './menu-keys.ts';

const maxRows = 10;

/** Cells of the names of items with a meaning. */
const nameWidth = 18;

/**
 * A box that picks an item: typing filters, arrows move, Enter chooses. The cursor returns to the first
 * item when the ids of those that match change.
 */
export function MenuBox(props: {
  readonly open: OpenMenu;
  readonly columns: number;
  readonly rows: number;
}) {
  const { open, columns, rows } = props;
  const { menu, narrow, caret } = open;
  const deck = useDeck();
  useChanges(menu.source);
  const items = foundItems(open);
  const keys = useKeys();
  const ids = items.map(({ id }) => id).join('\n');
  const [selected, setSelected] = useState({ ids, id: items[0]?.id });
  // Effects of children run first, so the list below already listens for keys.
  useEffect(() => {
    keys.release();
  }, [keys]);
  const shape = useMemo(() => boxShape(columns, rows), [columns, rows]);
  const selectedId = selected.ids === ids ? selected.id : items[0]?.id;
  const explained = shape.isSheet ? meaningRows(items, selectedId, shape.inner) : [];
  useEffect(() => {
    deck.screen.overlay.choosePicked(selectedId);
  }, [deck, selectedId]);
  const limit = Math.min(items.length, listRoom(columns, rows, maxRows) - explained.length);
  return (
    <FramedBox
      title={[profileSpan(deck.profile), span(`: ${menu.title}`)]}
      field={{ prompt: 'Find: ', line: { text: narrow, caret } }}
      lines={items.length === 0 ? [plain('No match.')] : []}
      below={{
        rows: limit + explained.length,
        content: items.length > 0 && (
          <>
            <SelectList
              items={items.map((item) => ({
                label: shape.isSheet ? item.label : labelWithMeaning(item),
                value: item.id,
              }))}
              limit={limit}
              shape={shape}
              current={selectedId}
              onMove={(id) => setSelected({ ids, id })}
              onSelect={(value) => {
                const chosen = items.find(({ id }) => id === value);
                if (chosen !== undefined) chooseItem(deck, chosen);
              }}
            />
            {explained.map((row, index) => (
              // A row is its place in the box.
              // eslint-disable-next-line react/no-array-index-key
              <BoxRow key={index} line={row} shape={shape} />
            ))}
          </>
        ),
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

/** Returns the meaning of the selected item, in as many rows as the longest meaning needs. */
function meaningRows(
  items: readonly MenuItem[],
  selected: string | undefined,
  width: number,
): readonly Line[] {
  const meanings = items.map(({ meaning }) =>
    meaning === undefined ? [] : wrapWords([span(meaning, 'quiet')], width),
  );
  const shown = meanings[items.findIndex(({ id }) => id === selected)];
  const rows = Math.max(0, ...meanings.map(({ length }) => length));
  return Array.from({ length: rows }, (_, row) => shown?.[row] ?? []);
}

function labelWithMeaning({ label, meaning }: MenuItem): string {
  return meaning === undefined ? label : column(label, nameWidth) + meaning;
}

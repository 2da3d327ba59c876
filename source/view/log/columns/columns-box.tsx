import { useStore } from 'zustand';
import type { ColumnsState } from '../../../store/log/reader/columns.ts';
import type { Tail } from '../../../store/log/tail.ts';
import { FramedBox } from '../../parts/box.tsx';
import { useDeck } from '../../parts/context.ts';
import { listRoom } from '../../parts/list-box.tsx';
import { atStop, type Line, span } from '../../text/line.ts';
import { profileSpan } from '../../text/status-line.ts';

/** Most fields that the box shows at once. */
const maxRows = 12;

interface BoxProps {
  readonly open: ColumnsState;
  readonly columns: number;
  readonly rows: number;
}

/** The box with the fields of the log: each one is a column or not. */
export function LogColumnsBox(props: BoxProps) {
  const { tail } = useStore(useDeck().opened);
  return tail === undefined ? undefined : <ColumnRows tail={tail} {...props} />;
}

function ColumnRows({ tail, open, columns: width, rows }: BoxProps & { readonly tail: Tail }) {
  const deck = useDeck();
  const chosen = useStore(tail.reading.columns.state);
  const { keys, index } = open;
  const visible = Math.max(1, Math.min(keys.length, listRoom(width, rows, maxRows)));
  const first = Math.max(0, Math.min(index - Math.floor(visible / 2), keys.length - visible));
  return (
    <FramedBox
      title={[profileSpan(deck.profile), span(': columns of the log')]}
      lines={keys.slice(first, first + visible).map((key, at) =>
        atStop(columnLine(key, chosen.indexOf(key) + 1, first + at === index), {
          kind: 'row',
          index: first + at,
          name: key,
        }),
      )}
      hints={[
        ['Space', 'show or hide'],
        ['a', 'none'],
        ['Enter', 'close'],
      ]}
      columns={width}
      rows={rows}
    />
  );
}

/** @param place of the column from the left, from 1; 0 for a field that is none. */
function columnLine(key: string, place: number, hasCursor: boolean): Line {
  return [
    span(hasCursor ? '> ' : '  ', hasCursor ? 'focus' : undefined),
    span((place === 0 ? '-' : String(place)).padEnd(4), place === 0 ? 'quiet' : 'busy'),
    span(key, hasCursor ? 'focus' : place === 0 ? 'quiet' : undefined),
  ];
}

import { useStore } from 'zustand';
import {
  type ServiceRow,
  serviceRowIndex,
  type ServicePickerState,
  serviceRows,
} from '../../store/log/reader/services.ts';
import { useDeck } from '../parts/context.ts';
import { atStop, type Line, plain, span } from '../text/line.ts';
import { logChoices } from './services.ts';
import { ListBox, listRoom } from '../parts/list-box.tsx';
import { profileSpan } from '../text/status-line.ts';

const maxRows = 10;

/** The box that selects services: typing narrows the list, Space marks, Enter applies. */
export function LogServicesBox(props: {
  readonly open: ServicePickerState;
  readonly columns: number;
  readonly rows: number;
}) {
  const { open, columns } = props;
  const deck = useDeck();
  useStore(deck.deployments.list.state);
  const choices = logChoices(deck);
  const rows = serviceRows(choices, open.narrow);
  const cursorIndex = serviceRowIndex(open, rows);
  const visibleRows = listRoom(columns, props.rows, maxRows);
  const first = Math.max(
    0,
    Math.min(cursorIndex - Math.floor(visibleRows / 2), rows.length - visibleRows),
  );
  const shown = rows.slice(first, first + visibleRows);
  return (
    <ListBox
      title={[profileSpan(deck.profile), span(': services shown')]}
      field={{ prompt: 'Find: ', line: { text: open.narrow, caret: open.caret } }}
      lines={
        rows.length === 0
          ? [plain('No match.')]
          : shown.map((row, at) =>
              atStop(serviceLine(row, open, first + at === cursorIndex), {
                kind: 'row',
                index: first + at,
                name: row?.id ?? '',
              }),
            )
      }
      tallest={Math.min(visibleRows, 1 + choices.length)}
      hints={[
        ['Up/Down', ''],
        ['Space', 'mark'],
        ['Enter', 'show'],
        ['Esc', 'cancel'],
      ]}
      columns={columns}
      rows={props.rows}
    />
  );
}

function serviceLine(row: ServiceRow, { marked }: ServicePickerState, hasCursor: boolean): Line {
  const isMarked = row === undefined ? marked.size === 0 : marked.has(row.id);
  return [
    span(hasCursor ? '>' : ' ', hasCursor ? 'focus' : undefined),
    span(isMarked ? '*' : ' ', 'mark'),
    span(` ${row?.label ?? 'all services'}`, hasCursor ? 'focus' : undefined),
  ];
}

import { useStore } from 'zustand';
import {
  serviceRowIndex,
  type ServicePickerState,
  serviceRows,
} from '../../store/log/reader/services.ts';
import { useDeck } from '../parts/context.ts';
import { type Line, plain, span } from '../text/line.ts';
import { logServices } from './services.ts';
import { boxRoom, FramedBox } from '../parts/box.tsx';
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
  const rows = serviceRows(logServices(deck), open.narrow);
  const cursorIndex = serviceRowIndex(open, rows);
  const visibleRows = Math.max(1, Math.min(maxRows, boxRoom(props.rows) - 1));
  const first = Math.max(
    0,
    Math.min(cursorIndex - Math.floor(visibleRows / 2), rows.length - visibleRows),
  );
  const shown = rows.slice(first, first + visibleRows);
  return (
    <FramedBox
      title={[profileSpan(deck.profile), span(': services in the log')]}
      field={{ prompt: 's ', line: { text: open.narrow, caret: open.caret } }}
      lines={
        rows.length === 0
          ? [plain('No match.')]
          : shown.map((name, index) => serviceLine(name, open, first + index === cursorIndex))
      }
      tallest={1 + Math.min(visibleRows, 1 + logServices(deck).length)}
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

function serviceLine(
  name: string | undefined,
  { marked }: ServicePickerState,
  hasCursor: boolean,
): Line {
  const isMarked = name === undefined ? marked.size === 0 : marked.has(name);
  return [
    span(hasCursor ? '>' : ' ', hasCursor ? 'focus' : undefined),
    span(isMarked ? '*' : ' ', 'mark'),
    span(` ${name ?? 'all services'}`, hasCursor ? 'focus' : undefined),
  ];
}

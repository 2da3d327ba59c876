import { chosenChange, type TrashState } from '../../store/drafts/trash-list.ts';
import { useDeck } from '../parts/context.ts';
import { ListBox, listRoom } from '../parts/list-box.tsx';
import { useShown } from '../parts/use-shown.ts';
import { formatCount } from '../text/amount.ts';
import { boxShape } from '../text/box-shape.ts';
import { wrapWords } from '../text/fit.ts';
import { atStop, plain, span } from '../text/line.ts';
import { profileSpan } from '../text/status-line.ts';
import { trashLine, trashRows } from './rows.ts';

/** Most changes that the box of `u` shows at once. */
const maxRows = 10;

/** Rows for the whole place of the selected change; a row of the list cuts or omits it. */
const placeRows = 2;

/** The box of the changes that can be undone, newest first. */
export function TrashBox(props: {
  readonly open: TrashState;
  readonly columns: number;
  readonly rows: number;
}) {
  const { open, columns } = props;
  const deck = useDeck();
  useShown(open.batches);
  const { isSheet, inner } = boxShape(columns, props.rows);
  const rows = trashRows(deck, open);
  const chosen = chosenChange(open, rows);
  const count = open.batches.length + open.restarts.length;
  const most = listRoom(columns, props.rows, open.isWhole ? props.rows : maxRows);
  const room = Math.max(1, Math.min(most, listRoom(columns, props.rows, props.rows) - placeRows));
  const first = Math.max(0, Math.min(chosen - Math.floor(room / 2), rows.length - room));
  const now = deck.clock.now();
  const lines = rows.slice(first, first + room).map((row, at) => {
    const index = first + at;
    const line = trashLine(row, { now, hasCursor: index === chosen, isSheet });
    return atStop(line, { kind: 'row', index, name: row.id });
  });
  const wrapped = wrapWords([span(rows[chosen]?.place ?? '', 'quiet')], inner);
  const place = Array.from({ length: placeRows }, (_, row) => wrapped[row] ?? []);
  return (
    <ListBox
      title={[profileSpan(deck.profile), span(open.isWhole ? ': trash' : ': undo')]}
      range={`${formatCount(rows.length)} of ${formatCount(count)}`}
      field={{ prompt: 'Find: ', line: { text: open.narrow, caret: open.caret } }}
      lines={rows.length === 0 ? [plain('No match.')] : [...lines, ...place]}
      tallest={Math.min(room, count) + placeRows}
      hints={[
        ['Up/Down', ''],
        ['Enter', 'undo'],
        ['Esc', 'cancel'],
      ]}
      columns={columns}
      rows={props.rows}
    />
  );
}

import { useEffect } from 'react';
import { useStore } from 'zustand';
import { chosenIndex, type Paletting } from '../../../store/prompts/palette.ts';
import { useDeck, useKeys } from '../../parts/context.ts';
import { ListBox, listRoom } from '../../parts/list-box.tsx';
import { boxShape } from '../../text/box-shape.ts';
import { formatCount } from '../../text/amount.ts';
import { plain, span } from '../../text/line.ts';
import { profileSpan } from '../../text/status-line.ts';
import { editPalette } from './palette-keys.ts';
import { explanationRows, noPaletteMatch, paletteLines } from './palette-line.ts';

const maxRows = 10;

/** The palette's box: typing searches commands and places, Enter runs the chosen row. */
export function PaletteBox(props: {
  readonly open: Paletting;
  readonly columns: number;
  readonly rows: number;
}) {
  const { open, columns } = props;
  const deck = useDeck();
  const keys = useKeys();
  useEffect(() => {
    keys.release();
  }, [keys]);
  useStore(deck.deployments.list.state);
  useStore(deck.files.list.state);
  const width = boxShape(columns, props.rows).inner;
  const rows = open.rows(open.text);
  const chosen = chosenIndex(open, rows);
  const room = listRoom(columns, props.rows, maxRows) - explanationRows(width);
  const first = Math.max(0, Math.min(chosen - Math.floor(room / 2), rows.length - room));
  const shown = rows.slice(first, first + room);
  return (
    <ListBox
      title={[profileSpan(deck.profile), span(': command')]}
      field={{ prompt: ': ', line: open, onEdit: (line) => editPalette(deck, open, line) }}
      lines={
        rows.length === 0
          ? [plain(noPaletteMatch)]
          : paletteLines(shown, rows[chosen], width, first)
      }
      range={`${formatCount(rows.length)} of ${formatCount(open.total())}`}
      tallest={room + explanationRows(width)}
      hints={[
        ['Tab', 'complete'],
        ['Up/Down', ''],
        ['Enter', 'run'],
        ['Esc', 'back'],
      ]}
      columns={columns}
      rows={props.rows}
    />
  );
}

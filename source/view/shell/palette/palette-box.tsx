import { useEffect } from 'react';
import { useStore } from 'zustand';
import { chosenIndex, type PaletteRow, type Paletting } from '../../../store/prompts/palette.ts';
import { cellWidth } from '../../../terminal/screen/cells.ts';
import { sanitize } from '../../../terminal/screen/sanitize.ts';
import { useDeck, useKeys } from '../../parts/context.ts';
import { column } from '../../text/fit.ts';
import { type Line, plain, span } from '../../text/line.ts';
import { boxRoom, boxWidth, FramedBox } from '../../parts/box.tsx';
import { profileSpan } from '../../text/status-line.ts';
import { editPalette } from './palette-keys.ts';

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
  const width = boxWidth(columns);
  const rows = open.rows(open.text);
  const chosen = chosenIndex(open, rows);
  const room = Math.min(maxRows, boxRoom(props.rows) - 1);
  const first = Math.max(0, Math.min(chosen - Math.floor(room / 2), rows.length - room));
  const shown = rows.slice(first, first + room);
  return (
    <FramedBox
      title={[profileSpan(deck.profile), span(': command')]}
      field={{ prompt: ': ', line: open, onEdit: (line) => editPalette(deck, open, line) }}
      lines={
        rows.length === 0
          ? [plain('No match.')]
          : shown.map((row, index) => paletteLine(row, first + index === chosen, width))
      }
      tallest={1 + room}
      hints={[
        ['Tab', 'complete'],
        ['Up/Down', ''],
        ['Enter', ''],
        ['Esc', ''],
      ]}
      columns={columns}
      rows={props.rows}
    />
  );
}

/** Widths of the columns in cells; narrow boxes have no explanations. */
const cells = { mark: 2, name: 20, explanation: 21, key: 10 };

/** Draws `> close shop-2     close…         X`; a long name replaces its explanation. */
function paletteLine(row: PaletteRow, isChosen: boolean, width: number): Line {
  const inner = width - 4;
  const isWide = inner >= cells.mark + cells.name + cells.explanation + cells.key;
  const before = isWide
    ? cells.name + cells.explanation
    : Math.max(cells.name, inner - cells.mark - cells.key);
  const isShort = cellWidth(sanitize(row.name)) < cells.name;
  const name = isWide && isShort && row.explanation !== '' ? cells.name : before;
  return [
    span(isChosen ? '> ' : '  ', isChosen ? 'focus' : undefined),
    span(column(row.name, name), isChosen ? 'focus' : undefined),
    ...(name < before ? [span(column(row.explanation, before - name), 'quiet')] : []),
    span(row.key, 'info'),
  ];
}

import type { Overlay } from '../../../store/deck/screen/overlay.ts';
import { contextName, contextOf } from '../../command/command.ts';
import { isFrozen } from '../../log/title.ts';
import { useDeck } from '../../parts/context.ts';
import { ListBox, listRoom } from '../../parts/list-box.tsx';
import { boxShape } from '../../text/box-shape.ts';
import { column } from '../../text/fit.ts';
import { atStop, type Line, plain, span } from '../../text/line.ts';
import { useCommands } from '../commands-context.ts';
import { chosenRow, firstVisible, helpRange, type HelpRow, openHelpRows } from './help-rows.ts';

/** Rows of the list in a usual terminal; a taller one shows more of them. */
const usualRows = 12;
/** Rows of the screen that stay visible around a taller help. */
const rowsAround = 18;

/** Help box with the commands of one pane: typing searches them, Enter runs one. */
export function HelpBox(props: {
  readonly open: Extract<Overlay, { kind: 'help' }>;
  readonly columns: number;
  readonly rows: number;
}) {
  const { open, columns, rows } = props;
  const deck = useDeck();
  const context = contextOf(open.pane, deck.screen.getState().main);
  const listed = openHelpRows(deck, useCommands(), open);
  const chosen = chosenRow(listed, open.chosen, open.text);
  const tallest = listRoom(columns, rows, Math.max(usualRows, rows - rowsAround));
  // A sheet has no room for all notes, and explains only the chosen row, below it.
  const { isSheet } = boxShape(columns, rows);
  const room = isSheet ? tallest - 1 : tallest;
  const first = firstVisible(listed.length, chosen, room);
  const paused = context === 'logs' && isFrozen(deck) ? ', paused' : '';
  const runs = open.over === undefined;
  return (
    <ListBox
      title={[span(`Help: ${contextName(context)}${paused}`, 'focus')]}
      range={helpRange(listed, first, room)}
      field={{
        prompt: 'Find: ',
        line: open,
        note: `type to search${runs ? '; Enter runs the key' : ''}`,
      }}
      lines={
        listed.length === 0
          ? [plain('No match.')]
          : listed.slice(first, first + room).flatMap((row, at) => {
              const index = first + at;
              const lines = helpLines(row, index === chosen, isSheet);
              if (row.kind === 'topic') return lines;
              return lines.map((line) => atStop(line, { kind: 'row', index, name: row.id }));
            })
      }
      tallest={tallest}
      hints={[
        ['Up/Down', ''],
        ['Tab', 'other panes'],
        ...(runs ? [['Enter', 'run'] as const] : []),
        ['Esc', 'back'],
      ]}
      columns={columns}
      rows={rows}
    />
  );
}

/** Widths of the columns in cells; the note gets the rest. */
const cells = { keys: 11, help: 20, note: 27 };

/** Draws `> Space      pause or follow     :pause`; a sheet has the note below the chosen row. */
function helpLines(row: HelpRow, isChosen: boolean, isSheet: boolean): readonly Line[] {
  if (row.kind === 'topic') return [[span(row.text, 'quiet')]];
  const token = isChosen ? 'focus' : undefined;
  const line = [
    span(isChosen ? '> ' : '  ', token),
    span(column(row.keys, cells.keys), 'info'),
    span(column(row.help, cells.help), token),
  ];
  if (!isSheet) return [[...line, span(column(row.note, cells.note), 'quiet')]];
  if (!isChosen || row.note === '') return [line];
  return [line, [span(' '.repeat(2 + cells.keys)), span(row.note, 'quiet')]];
}

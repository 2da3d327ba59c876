import type { Pane } from '../../store/deck/screen/focus.ts';
import { useDeck } from '../parts/context.ts';
import { column } from '../text/fit.ts';
import { type BoundCommand, listedCommands, shownCommands } from '../command/registry.ts';
import { isFrozen } from '../log/title.ts';
import { keyLabel } from '../command/key-label.ts';
import { contextName, contextOf } from '../command/command.ts';
import { registeredCommands } from './commands.ts';
import { type Line, span } from '../text/line.ts';
import { boxRoom, boxWidth, FramedBox } from '../parts/box.tsx';

/** Help box with the keys of one pane, in pages of one or two columns. */
export function Help(props: {
  readonly pane: Pane;
  readonly page: number;
  readonly columns: number;
  readonly rows: number;
}) {
  const deck = useDeck();
  const context = contextOf(props.pane, deck.screen.getState().main);
  const width = boxWidth(props.columns) - 4;
  const commands = shownCommands(registeredCommands, context, deck);
  const pages = helpPages(commands, width, boxRoom(props.rows));
  const paused = context === 'logs' && isFrozen(deck) ? ', paused' : '';
  const page = ((props.page % pages.length) + pages.length) % pages.length;
  return (
    <FramedBox
      title={[span(`Help: ${contextName(context)}${paused}`, 'focus')]}
      lines={pages[page] ?? []}
      hints={[
        ...(pages.length > 1 ? [['Space', `page ${page + 1} of ${pages.length}`] as const] : []),
        ['Tab', 'other panes'],
        ['Esc', ''],
      ]}
      columns={props.columns}
      rows={props.rows}
    />
  );
}

/** Minimum width in cells for two columns of keys. */
const twoColumns = 58;

/** Lists the keys of the commands in pages of at most `room` rows, columns filled downwards. */
export function helpPages(
  commands: readonly BoundCommand[],
  width: number,
  room: number,
): readonly (readonly Line[])[] {
  const entries = listedCommands(commands).map(({ keys, help }) => ({
    keys: keys.map(keyLabel).join(' '),
    help,
  }));
  const columns = width >= twoColumns ? 2 : 1;
  const columnWidth = Math.floor(width / columns);
  const pages: Line[][] = [];
  for (let start = 0; start < entries.length; start += room * columns) {
    const shown = entries.slice(start, start + room * columns);
    const rows = Math.ceil(shown.length / columns);
    pages.push(
      Array.from({ length: rows }, (_, row) =>
        shown
          .filter((_entry, index) => index % rows === row)
          .flatMap((entry) => [
            span(column(entry.keys, 11), 'info'),
            span(column(entry.help, columnWidth - 11)),
          ]),
      ),
    );
  }
  return pages;
}

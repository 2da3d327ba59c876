import type { Pane } from '../../store/deck/screen/focus.ts';
import { useDeck } from '../parts/context.ts';
import { column } from '../text/fit.ts';
import type { KeyContext } from '../command/command.ts';
import { keyLabel } from '../command/key-label.ts';
import { bindingsIn, contextOf } from './keymap.ts';
import { isFrozen, shownBindings } from './shown-bindings.ts';
import { type Line, span } from '../text/line.ts';
import { boxRoom, boxWidth, FramedBox } from '../parts/box.tsx';

const names: Readonly<Record<KeyContext, string>> = {
  deployments: 'Deployments',
  files: 'Files',
  grants: 'Grants',
  logs: 'Logs',
  view: 'View',
  details: 'Details',
  diff: 'Diff',
  history: 'History',
  edit: 'Edit',
};

/** The keys of one pane, two columns where they fit, and as many pages as they need. */
export function Help(props: {
  readonly pane: Pane;
  readonly page: number;
  readonly columns: number;
  readonly rows: number;
}) {
  const deck = useDeck();
  const context = contextOf(props.pane, deck.screen.getState().main);
  const width = boxWidth(props.columns) - 4;
  const pages = helpPages(context, width, boxRoom(props.rows), shownBindings(deck, context));
  const frozen = context === 'logs' && isFrozen(deck) ? ', frozen' : '';
  const page = ((props.page % pages.length) + pages.length) % pages.length;
  return (
    <FramedBox
      title={[span(`Help: ${names[context]}${frozen}`, 'focus')]}
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

/** From so many cells on, two columns of keys can be read. */
const twoColumns = 58;

/** Every key of the context, in pages of at most `room` rows, in columns filled downwards. */
export function helpPages(
  context: KeyContext,
  width: number,
  room: number,
  bindings = bindingsIn(context),
): readonly (readonly Line[])[] {
  const entries = bindings
    .filter(({ unlisted }) => unlisted !== true)
    .map(({ keys, help }) => ({ keys: keys.map(keyLabel).join(' '), help }));
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

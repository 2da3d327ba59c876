import type { Pane } from '../../store/screen.ts';
import { useConsole } from '../context.ts';
import { column } from '../fit.ts';
import { hintLine } from '../footer.ts';
import type { Context } from '../binding.ts';
import { bindingsIn, contextOf, keyLabel } from '../keymap.ts';
import { type Line, span } from '../line.ts';
import { boxWidth, FramedBox } from '../parts/box.tsx';

const names: Readonly<Record<Context, string>> = {
  deployments: 'Deployments',
  files: 'Files',
  grants: 'Grants',
  logs: 'Logs',
  view: 'View',
  details: 'Details',
  diff: 'Diff',
  edit: 'Edit',
};

/** The keys of one pane, two columns where they fit. */
export function Help(props: {
  readonly pane: Pane;
  readonly columns: number;
  readonly rows: number;
}) {
  const { main } = useConsole().screen.getState();
  const context = contextOf(props.pane, main);
  return (
    <FramedBox
      title={[span(`Help: ${names[context]}`, 'focus')]}
      lines={helpLines(context, boxWidth(props.columns) - 4)}
      hint={hintLine([
        ['Tab', 'other panes'],
        ['Esc', ''],
      ])}
      columns={props.columns}
      rows={props.rows}
    />
  );
}

/** From so many cells on, two columns of keys can be read. */
const twoColumns = 58;

/** Every key of the context, in columns filled downwards. */
function helpLines(context: Context, width: number): readonly Line[] {
  const entries = bindingsIn(context)
    .filter(({ unlisted }) => unlisted !== true)
    .map(({ keys, help }) => ({ keys: keys.map(keyLabel).join(' '), help }));
  const columns = width >= twoColumns ? 2 : 1;
  const half = Math.ceil(entries.length / columns);
  const columnWidth = Math.floor(width / columns);
  return Array.from({ length: half }, (_, row) =>
    (columns === 2 ? [entries[row], entries[row + half]] : [entries[row]]).flatMap((entry) =>
      entry === undefined
        ? []
        : [span(column(entry.keys, 11), 'info'), span(column(entry.help, columnWidth - 11))],
    ),
  );
}

import { useMemo } from 'react';
import { useStore } from 'zustand';
import { visibleFiles } from '../../store/visible.ts';
import { formatCount } from '../amount.ts';
import { useConsole, useScreen } from '../context.ts';
import { fileLine } from '../file-rows.ts';
import { ListPane, type PaneArea } from '../parts/list-pane.tsx';
import { filesPlaceText } from '../subject.ts';

/** Pane 2: the file tree of one service of the opened deployment. */
export function FilesPane(area: PaneArea) {
  const console = useConsole();
  const { files } = console;
  const listing = useStore(files.list.state);
  const { place, toggled, startsFolded, opened } = useStore(files.state);
  const filter = useScreen((screen) => screen.filters.files);
  const rows = useMemo(
    () => visibleFiles(listing.rows, filter, (path) => startsFolded !== toggled.has(path)),
    [listing.rows, filter, startsFolded, toggled],
  );
  const where = filesPlaceText(console);
  return (
    <ListPane
      area={area}
      pane="files"
      listing={listing}
      rows={rows}
      id={(row) => row.path}
      line={(row, cursor, now) => {
        const isOpen = opened?.path === row.path && !row.folder;
        return fileLine({ row, cursor, opened: isOpen }, area.width, now);
      }}
      sentences={{
        empty: place === undefined ? 'No deployment is open.' : `No files in ${where}.`,
        unmatched: `0 of ${formatCount(listing.rows.length)} files match. Esc clears the filter.`,
      }}
    />
  );
}

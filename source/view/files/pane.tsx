import { keyName } from '../../store/prompts/key-names.ts';
import { useStore } from 'zustand';
import type { Listing } from '../../store/lists/listing.ts';
import { pathsOf, visibleFiles } from '../../store/files/visible.ts';
import { formatCount } from '../text/amount.ts';
import { useDeck, useScreen } from '../parts/context.ts';
import { fileMarks } from './marks.ts';
import { fileLine } from './rows.ts';
import { ListPaneBox, type PaneArea } from '../parts/list-pane.tsx';
import { filesPlaceText } from './subject.ts';

/** Returns the state of the deployment list, because no files are fetched without a service. */
function withoutService<T>(files: Listing<T>, deployments: Listing<unknown>): Listing<T> {
  return { ...files, loadedAt: deployments.loadedAt, error: deployments.error };
}

/** Pane 2: the file tree of one service of the opened deployment. */
export function FilesPane(area: PaneArea) {
  const deck = useDeck();
  const { files } = deck;
  const listing = useStore(files.list.state);
  const { place, toggled, startsFolded, opened } = useStore(files.state);
  const deployments = useStore(deck.deployments.list.state);
  const openedId = useStore(deck.opened, (state) => state.id);
  const noService =
    openedId === undefined
      ? 'Open a deployment first.'
      : `This deployment lists no services. ${keyName('files.service', 's')}: those in its log.`;
  const marks = useScreen((screen) => screen.marks);
  const filter = useScreen((screen) => screen.filters.files);
  const order = useScreen((screen) => screen.orders.files);
  const drafts = useStore(deck.drafts.state, (state) => state.drafts);
  const { rows: drafted, newPaths } = files.drafted();
  const rows = visibleFiles(drafted, filter, { startsFolded, toggled }, order);
  const restart = useStore(deck.restarts.state, (restarts) =>
    place === undefined ? undefined : restarts.get(place.deploymentId),
  );
  const states = fileMarks(place, drafts.values(), restart, newPaths);
  const where = filesPlaceText(deck);
  return (
    <ListPaneBox
      area={area}
      pane="files"
      listing={place === undefined ? withoutService(listing, deployments) : listing}
      rows={rows}
      ids={pathsOf(rows)}
      line={(row, cursor, now) => {
        const isOpen = opened?.path === row.path && !row.folder;
        const isMarked = marks.has(row.path);
        const file = {
          row,
          cursor,
          opened: isOpen,
          marked: isMarked,
          mark: states.get(row.path),
        };
        return fileLine(file, { width: area.width, marks: states.size > 0, now });
      }}
      sentences={{
        empty:
          place === undefined
            ? noService
            : `No files in ${where}. ${keyName('files.create', 'a')} new, ${keyName('files.upload', 'p')} upload.`,
        unmatched: `0 of ${formatCount(listing.rows.length)} files match. Esc clears the filter.`,
      }}
    />
  );
}

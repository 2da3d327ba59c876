import { Box } from 'ink';
import { useStore } from 'zustand';
import { useDeck, useScreen } from '../parts/context.ts';
import { SearchStrip } from '../parts/search-strip.tsx';
import { stripRows } from './viewport.ts';
import type { PaneArea } from '../parts/list-pane.tsx';
import { DetailsPane } from '../details/pane.tsx';
import { DiffPane } from '../editor/diff-pane.tsx';
import { FilePane } from '../files/file-pane.tsx';
import { HistoryPane } from '../history/pane.tsx';
import { LogsPane } from '../log/pane.tsx';
import { PatternsPane } from '../log/patterns/patterns-pane.tsx';
import type { Area } from '../../terminal/screen/screen-rows.ts';

/** Area of pane 4, and whether it has the focus. */
export type MainPaneArea = PaneArea & Area;

/** Pane 4: the log, or the view opened in its place, below the strip of a search in its text. */
export function MainPane(area: MainPaneArea) {
  const deck = useDeck();
  const main = useScreen((screen) => screen.main);
  const rows = useStore(deck.textSearch.state, () => stripRows(deck));
  if (main.kind === 'logs' || main.kind === 'editor') return <MainView {...area} />;
  // The view keeps its place when the strip appears, so that it is not mounted again.
  return (
    <Box flexDirection="column" width={area.width} height={area.height}>
      {rows > 0 && <SearchStrip width={area.width} />}
      <MainView {...area} top={area.top + rows} height={area.height - rows} />
    </Box>
  );
}

function MainView(area: MainPaneArea) {
  const main = useScreen((screen) => screen.main);
  switch (main.kind) {
    case 'logs':
      return <LogsPane area={area} focused={area.focused} />;
    case 'patterns':
      return <PatternsPane area={area} />;
    case 'file':
      return <FilePane {...area} />;
    case 'deployment':
    case 'grant':
    case 'answer':
    case 'line':
      return <DetailsPane subject={main} area={area} />;
    case 'editor':
      // The editor covers the title too, so the parent draws it.
      return undefined;
    case 'diff':
      return <DiffPane {...area} />;
    case 'history':
      return <HistoryPane {...area} />;
  }
}

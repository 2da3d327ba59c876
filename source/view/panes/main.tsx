import { useStore } from 'zustand';
import { useConsole, useScreen } from '../context.ts';
import type { Area } from '../../terminal/screen.ts';
import type { Line } from '../line.ts';
import { answerLines } from '../notice.ts';
import { Document } from '../parts/document.tsx';
import type { PaneArea } from '../parts/list-pane.tsx';
import { useNow } from '../use-now.ts';
import { detailsLines, type DetailsSubject } from './details.tsx';
import { DiffPane } from './diff.tsx';
import { FilePane } from './file.tsx';
import { HistoryPane } from './history.tsx';
import { LogsPane } from './logs.tsx';

/** Where pane 4 stands, and whether keys go there. */
export type MainPaneArea = PaneArea & Area;

/** Pane 4: the log, or the view opened over it. */
export function MainPane(area: MainPaneArea) {
  const main = useScreen((screen) => screen.main);
  switch (main.kind) {
    case 'logs':
      return <LogsPane area={area} />;
    case 'file':
      return <FilePane {...area} />;
    case 'deployment':
    case 'grant':
      return <DetailsView subject={main} area={area} />;
    case 'editor':
      // It stands on the title too, so it is drawn where that would be.
      return undefined;
    case 'diff':
      return <DiffPane {...area} />;
    case 'history':
      return <HistoryPane {...area} />;
    case 'answer':
      return <AnswerView pane={main.pane} area={area} />;
  }
}

function DetailsView(props: { readonly subject: DetailsSubject; readonly area: PaneArea }) {
  const console = useConsole();
  useStore(console.deployments.list.state);
  useStore(console.deployments.details);
  useStore(console.grants.list.state);
  useStore(console.addressBook);
  const now = useNow(1000);
  return <LinesView lines={detailsLines(console, props.subject, now)} area={props.area} />;
}

/** What a service answered where a list could not be read. */
function AnswerView(props: {
  readonly pane: 'deployments' | 'files' | 'grants';
  readonly area: PaneArea;
}) {
  const console = useConsole();
  const error = useStore(console[props.pane].list.state, (list) => list.error);
  return <LinesView lines={answerLines(error)} area={props.area} />;
}

function LinesView(props: { readonly lines: readonly Line[]; readonly area: PaneArea }) {
  const scroll = useScreen((screen) => screen.scroll);
  const wrap = useScreen((screen) => screen.wrap);
  return (
    <Document
      count={props.lines.length}
      line={(index) => [{ text: ' ' }, ...(props.lines[index] ?? [])]}
      top={Math.min(scroll.top, Math.max(0, props.lines.length - 1))}
      left={scroll.left}
      wrap={wrap}
      width={props.area.width}
      height={props.area.height}
    />
  );
}

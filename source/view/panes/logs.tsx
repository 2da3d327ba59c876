import { Box } from 'ink';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Tail } from '../../store/console.ts';
import { gapSentence, type LogLine } from '../../store/log-view.ts';
import type { LogConnectionState } from '../../store/logs-connection.ts';
import type { Entry } from '../../tail/sequence.ts';
import { useConsole, useScreen } from '../context.ts';
import { longestCell, sliceLine, wrapLine } from '../fit.ts';
import { type Line, span } from '../line.ts';
import { logLine, serviceColumn } from '../log-rows.ts';
import { logWindow } from '../log-window.ts';
import { errorLines, loadingShownAfter, noticeRows } from '../notice.ts';
import { useNow } from '../use-now.ts';
import type { PaneArea } from '../parts/list-pane.tsx';
import { Row } from '../parts/row.tsx';
import { openedText } from '../subject.ts';

/** Pane 4 as the live log of the opened deployment. */
export function LogsPane(area: PaneArea) {
  const console = useConsole();
  const opened = useStore(console.opened);
  const { tail } = opened;
  if (tail === undefined) {
    return (
      <Box width={area.width} height={area.height}>
        <Waiting width={area.width} />
      </Box>
    );
  }
  return <LogRows key={opened.id} tail={tail} area={area} />;
}

function LogRows(props: { readonly tail: Tail; readonly area: PaneArea }) {
  const { width, height } = props.area;
  const { log, view } = props.tail;
  const console = useConsole();
  const { connection } = useStore(log.state);
  const position = useStore(view.position);
  const wrap = useScreen((screen) => screen.wrap);
  const times = useScreen((screen) => screen.times);
  const left = useScreen((screen) => screen.logLeft);
  const style = { times, serviceWidth: serviceColumn(log.services()), now: console.serviceNow() };

  function rowsOf(entry: Entry<LogLine>): readonly Line[] {
    if (entry.kind === 'gap') return [[span(` -- ${gapSentence(entry)}. R tries again --`, 'bad')]];
    const cursor = position.kind === 'frozen' && position.cursor === entry.seq;
    // A line may be 64 KiB long: what cannot come into sight is not looked at.
    const inSight = (wrap ? width * height : left + width) * longestCell;
    const text = entry.line.logLine.slice(0, inSight);
    const line = logLine({ ...entry.line, logLine: text }, style, cursor);
    if (wrap) return wrapLine(line, width, height);
    return [left === 0 ? line : [...line.slice(0, 1), ...sliceLine(line.slice(1), left)]];
  }

  // A log that has stopped says why, below its last line.
  const end =
    log.entries.length > 0 && connection.kind === 'stopped' ? connection.error : undefined;
  const endLines = end === undefined ? [] : noticeRows(errorLines(end), width, height - 1);
  const room = Math.max(1, height - endLines.length);
  const window = logWindow({
    entries: log.entries,
    position,
    top: view.top(),
    height: room,
    rowsOf,
  });
  useEffect(() => {
    view.drawn(window.top);
  }, [view, window.top]);
  return (
    <Box flexDirection="column" width={width} height={height}>
      {window.rows.map((line, row) => (
        // A row is its place on the screen.
        // eslint-disable-next-line react/no-array-index-key
        <Row key={row} line={line} width={width} />
      ))}
      {endLines.map((line, row) => (
        // eslint-disable-next-line react/no-array-index-key
        <Row key={`end ${row}`} line={line} width={width} />
      ))}
      {log.entries.length === 0 &&
        noticeRows(emptyLines(connection, openedText(console)), width, height).map((line, row) => (
          // eslint-disable-next-line react/no-array-index-key
          <Row key={row} line={line} width={width} />
        ))}
    </Box>
  );
}

/** What stands where no log is open: that none is, or that it takes long to know. */
function Waiting({ width }: { readonly width: number }) {
  const deployments = useStore(useConsole().deployments.list.state);
  const now = useNow(loadingShownAfter);
  const [since] = useState(now);
  const isLoading = deployments.loadedAt === undefined && deployments.error === undefined;
  const waited = isLoading && now - since >= loadingShownAfter ? ' Loading...' : '';
  const text = deployments.loadedAt === undefined ? waited : ' No deployment is open.';
  return <Row line={[span(text, 'quiet')]} width={width} />;
}

/** What an empty log says: that it is waited for, or why there is none. */
function emptyLines(connection: LogConnectionState, name: string): readonly Line[] {
  switch (connection.kind) {
    case 'retrying':
    case 'stopped':
    case 'connecting':
      return connection.error === undefined ? [] : errorLines(connection.error);
    case 'live':
    case 'polling':
      return [[span(`No lines yet from ${name}. Following.`, 'quiet')]];
    default:
      return connection satisfies never;
  }
}

import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { timeKey } from '../../store/lists/order.ts';
import { isUtcFormat, type LogTimeFormat, momentText } from '../../store/log/times.ts';
import { listedDeployment } from '../command/row-under-cursor.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { RestartPlaces } from '../../store/log/restart-places.ts';
import { useDeck, useGlyphs, useScreen } from '../parts/context.ts';
import { span } from '../text/line.ts';
import { Histogram, useHistogramRows } from './histogram/histogram.tsx';
import { logMembers } from './members.ts';
import { createColumnLayout } from './rows/column-layout.ts';
import { createCodeUnderlines } from './rows/code-underlines.ts';
import type { LogLayout } from './rows/entry-rows.ts';
import type { LogRowsOptions } from './rows/frame.ts';
import { LogRowCache } from './rows/row-cache.ts';
import { logRows } from './rows/rows.ts';
import { isAway } from '../../store/deck/polling.ts';
import {
  failureLines,
  isTokenRejected,
  loadingShownAfter,
  loadingText,
  noticeRows,
} from '../text/notice.ts';
import { Painted } from '../parts/painted.tsx';
import { Row } from '../parts/row.tsx';
import { tailText } from './title.ts';
import { useQueryStrip } from './use-query-strip.ts';
import { useRevealedMatch } from './use-revealed-match.ts';
import { useNow } from '../parts/use-now.ts';
import type { Tail } from '../../store/log/tail.ts';
import type { Area } from '../../terminal/screen/screen-rows.ts';

/** The live log of the opened deployment, in pane 4. */
export function LogsPane(props: { readonly area: Area; readonly focused: boolean }) {
  const { area, focused } = props;
  const opened = useStore(useDeck().opened);
  const { tail } = opened;
  if (tail === undefined) {
    return (
      <Box width={area.width} height={area.height}>
        <NoLogNotice area={area} isFocused={focused} />
      </Box>
    );
  }
  return <StrippedTail key={opened.id} tail={tail} area={area} isFocused={focused} />;
}

interface TailArea {
  readonly tail: Tail;
  readonly area: Area;
  readonly isFocused: boolean;
}

/** The log below the strip that shows what hides lines, and below its histogram. */
function StrippedTail(props: TailArea) {
  const { tail, area } = props;
  const { top, width, height } = area;
  const strip = useQueryStrip(tail, width);
  const stripRows = strip.length === 0 ? 0 : 1;
  const histogramRows = useHistogramRows(tail, height);
  const above = stripRows + histogramRows;
  const below = { ...area, top: top + above, height: height - above };
  return (
    <Box flexDirection="column" width={width} height={height}>
      {stripRows > 0 && <Row line={strip} width={width} />}
      {histogramRows > 0 && <Histogram tail={tail} width={width} />}
      <TailRows {...props} area={below} />
    </Box>
  );
}

/** Returns when the deployment of a log was closed; undefined while it is open, and for several. */
function closedAtText(
  deck: Pick<Deck, 'clock' | 'deployments'>,
  { joined, deploymentIds: [id] }: Tail,
  times: LogTimeFormat,
): string | undefined {
  const at = joined === undefined ? timeKey(listedDeployment(deck, id)?.closedAt) : undefined;
  return at === undefined ? undefined : momentText(at, deck.clock.serviceNow(), isUtcFormat(times));
}

function TailRows({ tail, area, isFocused }: TailArea) {
  const { width, height } = area;
  const deck = useDeck();
  useStore(deck.deployments.list.state);
  const name = tailText(deck, true);
  const times = useScreen((screen) => screen.times);
  const closedAt = closedAtText(deck, tail, times);
  const currentMembers = logMembers(deck, tail);
  const labels = currentMembers.map(({ label }) => label).join('\n');
  // The list keeps its identity while its labels do, because a new list redraws every row.
  // eslint-disable-next-line react/exhaustive-deps
  const members = useMemo(() => currentMembers, [tail, labels]);
  const position = useStore(tail.view.position);
  const marks = useStore(tail.reading.marks.state);
  const wrap = useScreen((screen) => screen.wrap);
  const rawJson = useScreen((screen) => screen.rawJson);
  const scrollLeft = useScreen((screen) => screen.logLeft);
  const { ofServices } = deck.files;
  const fileLists = useStore(ofServices.state);
  const code = useMemo(
    () => createCodeUnderlines(ofServices, tail.deploymentIds),
    // Other lists underline other places, so that all rows are drawn again.
    // eslint-disable-next-line react/exhaustive-deps
    [ofServices, tail, fileLists],
  );
  const chosenColumns = useStore(tail.reading.columns.state);
  const columns = useMemo(
    () => (chosenColumns.length === 0 ? undefined : createColumnLayout(chosenColumns)),
    [chosenColumns],
  );
  const [restartPlaces] = useState(() => new RestartPlaces());
  const layout = useMemo(
    (): LogLayout => ({ width, height, wrap, times, rawJson, scrollLeft }),
    [width, height, wrap, times, rawJson, scrollLeft],
  );
  const cache = useMemo(() => new LogRowCache(layout), [layout]);
  const options = useMemo(
    (): LogRowsOptions => ({
      tail,
      name,
      closedAt,
      members,
      restartPlaces,
      code,
      columns,
      layout,
      cache,
      isFocused,
      clock: deck.clock,
      serviceNow: () => deck.clock.serviceNow(),
    }),
    [tail, name, closedAt, members, restartPlaces, code, columns, layout, cache, isFocused, deck],
  );
  useRevealedMatch(options);
  const source = useMemo(
    () => logRows(options),
    // A new position or mark makes a new source, which is painted at once instead of throttled.
    // eslint-disable-next-line react/exhaustive-deps
    [options, position, marks],
  );
  return <Painted area={area} source={source} />;
}

/** The notice while no log is open or the deployments are loading. */
function NoLogNotice(props: { readonly area: Area; readonly isFocused: boolean }) {
  const { width, height } = props.area;
  const deck = useDeck();
  const deployments = useStore(deck.deployments.list.state);
  const { ellipsis } = useGlyphs();
  const now = useNow(loadingShownAfter);
  const [since] = useState(now);
  const { error } = deployments;
  if (isTokenRejected(error) && !props.isFocused) return undefined;
  if (error !== undefined && !isAway(error)) {
    const rows = noticeRows(failureLines(error, deck.profile), width, height);
    return (
      <Box flexDirection="column" width={width}>
        {rows.map((line, row) => (
          // A row is its place in the pane.
          // eslint-disable-next-line react/no-array-index-key
          <Row key={row} line={line} width={width} />
        ))}
      </Box>
    );
  }
  const isLoading = deployments.loadedAt === undefined && deployments.error === undefined;
  const loading = isLoading
    ? loadingText(props.isFocused ? deck.profile : {}, now - since, ellipsis)
    : '';
  const text = deployments.loadedAt === undefined ? loading : 'Open a deployment first.';
  return <Row line={[span(` ${text}`, 'quiet')]} width={width} />;
}

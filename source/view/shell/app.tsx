import { Box, Text } from 'ink';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { useDeck, useGlyphs, useScreen } from '../parts/context.ts';
import { computeLayout, editorAreas, type Layout, mainArea } from './layout.ts';
import { PreviewPane } from '../details/preview-pane.tsx';
import { EditorPane } from '../editor/pane.tsx';
import { listPaneStatus, listPaneTitles, listPaneViews } from './list-panes.tsx';
import { MainPane, type MainPaneArea } from './main-pane.tsx';
import type { PaneArea } from '../parts/list-pane.tsx';
import { useClickArea } from '../parts/click-map.ts';
import { ClickPane } from '../parts/click-pane.tsx';
import { Row } from '../parts/row.tsx';
import { lineWidth } from '../text/fit.ts';
import { Title, titleEnd } from '../parts/title.tsx';
import { StatusRow } from './status-row.tsx';
import { mainPaneTitle } from './pane-title.ts';
import { tabAt, tabsLine } from './tabs.ts';
import { useNow } from '../parts/use-now.ts';
import { showsOwnStatus, useMainStatus } from './use-main-status.ts';
import { useTail } from '../log/use-tail.ts';
import { useWindowSize } from '../parts/use-window-size.ts';
import { eachListPane, type ListPane } from '../../store/lists/list-panes.ts';
import type { Pane } from '../../store/deck/screen/focus.ts';
import { OverlayBox } from './overlay-box.tsx';
import { LastRows } from './last-rows.tsx';
import { preparePalette } from './palette/prepare-palette.ts';

/** Cells around a title: brackets or rule, and a blank after it. */
const titleFrame = 4;

/** Cells of the other tabs in a narrow row, and of the brackets. */
const otherTabs = 11;

type Split = Extract<Layout, { kind: 'split' }>;

/** The whole screen: row 1, the panes, the overlay, and the last two rows. */
export function App() {
  const deck = useDeck();
  useEffect(() => preparePalette(deck), [deck]);
  const { columns, rows } = useWindowSize();
  const focus = useScreen((screen) => screen.focus);
  const fullscreen = useScreen((screen) => screen.fullscreen);
  const widen = useScreen((screen) => screen.widen);
  const listRows = useScreen((screen) => screen.listRows);
  const layout = computeLayout({ columns, rows, focus, fullscreen, widen, listRows });
  if (layout.kind === 'tiny') {
    return <Text wrap="truncate">{`hostdeck needs 40x10, this is ${columns}x${rows}`}</Text>;
  }
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <StatusRow width={columns} />
      {layout.kind === 'fullscreen' && <FullPane layout={layout} />}
      {layout.kind === 'single' && <SinglePane layout={layout} />}
      {layout.kind === 'split' && <SplitPanes layout={layout} />}
      <LastRows width={columns} />
      <OverlayBox columns={columns} rows={rows} />
    </Box>
  );
}

/** The focused pane alone; row 1 is the title of pane 4. */
function FullPane({ layout }: { readonly layout: Extract<Layout, { kind: 'fullscreen' }> }) {
  const focus = useScreen((screen) => screen.focus);
  const isEditing = useScreen((screen) => screen.main.kind === 'editor');
  if (focus !== 'main') return <FullList pane={focus} layout={layout} />;
  return isEditing ? (
    <EditorPane {...editorAreas(layout)} />
  ) : (
    <MainPane {...mainArea(layout)} focused />
  );
}

function FullList(props: {
  readonly pane: ListPane;
  readonly layout: Extract<Layout, { kind: 'fullscreen' }>;
}) {
  const { width, height } = props.layout;
  const titles = usePaneTitles(true, width - titleFrame);
  return (
    <TitledList
      pane={props.pane}
      text={titles[props.pane]}
      area={{ width, height, focused: true }}
    />
  );
}

/** One pane in the full width, below the tabs; the editor replaces the tabs too. */
function SinglePane({ layout }: { readonly layout: Extract<Layout, { kind: 'single' }> }) {
  const isEditing = useScreen(({ focus, main }) => focus === 'main' && main.kind === 'editor');
  return isEditing ? <EditorPane {...editorAreas(layout)} /> : <TabbedPane layout={layout} />;
}

function TabbedPane({ layout }: { readonly layout: Extract<Layout, { kind: 'single' }> }) {
  const focus = useScreen((screen) => screen.focus);
  const titles = usePaneTitles(false, layout.width - otherTabs);
  const deck = useDeck();
  const main = useMainStatus(mainArea(layout));
  const isShown = useScreen(({ main: { kind } }) => showsOwnStatus(kind));
  const status = focus !== 'main' ? listPaneStatus(deck, focus) : isShown ? main : [];
  const tabs = tabsLine(titles, focus, layout.width, { own: status, log: main });
  const ref = useClickArea((x) => {
    const pane = tabAt(tabs, x);
    return pane === undefined ? undefined : { kind: 'pane', pane };
  });
  return (
    <>
      <Box ref={ref} height={1} width={layout.width}>
        <Row line={tabs} width={layout.width} />
      </Box>
      <PaneContent pane={focus} area={{ ...mainArea(layout), focused: true }} />
    </>
  );
}

/** Lists on the left, the log or a view on the right, and a details column in a wide terminal. */
function SplitPanes({ layout }: { readonly layout: Split }) {
  const glyphs = useGlyphs();
  const focus = useScreen((screen) => screen.focus);
  const isEditing = useScreen((screen) => screen.main.kind === 'editor');
  const titles = usePaneTitles(true, layout.leftWidth - titleFrame);
  const state = useMainStatus(mainArea(layout));
  const contentHeight = layout.height - 1;
  return (
    <Box height={layout.height}>
      <Box flexDirection="column" width={layout.leftWidth}>
        {layout.left.map(({ pane, height }) => (
          <Box key={pane} flexDirection="column" height={height}>
            <TitledList
              pane={pane}
              text={titles[pane]}
              area={{ width: layout.leftWidth, height, focused: focus === pane }}
            />
          </Box>
        ))}
      </Box>
      <Rule rows={ruleCharacters(layout, glyphs.teeDown, glyphs.teeLeft, glyphs.vertical)} />
      <Box flexDirection="column" width={layout.mainWidth}>
        {isEditing ? (
          <EditorPane {...editorAreas(layout)} />
        ) : (
          <>
            <Title
              text={titles.main}
              pane="main"
              focused={focus === 'main'}
              width={layout.mainWidth}
              right={state}
            />
            <ClickPane pane="main" width={layout.mainWidth}>
              <MainPane {...mainArea(layout)} focused={focus === 'main'} />
            </ClickPane>
          </>
        )}
      </Box>
      {layout.detailsWidth > 0 && (
        <>
          <Rule rows={[glyphs.teeDown, ...Array<string>(contentHeight).fill(glyphs.vertical)]} />
          <Box flexDirection="column" width={layout.detailsWidth}>
            <PreviewPane width={layout.detailsWidth} height={layout.height} />
          </Box>
        </>
      )}
    </Box>
  );
}

/** Returns the vertical rule between the sides, joined to the titles of the left panes. */
function ruleCharacters(layout: Split, down: string, left: string, vertical: string): string[] {
  return layout.left.flatMap(({ height }, index) => [
    index === 0 ? down : left,
    ...Array<string>(height - 1).fill(vertical),
  ]);
}

function Rule(props: { readonly rows: readonly string[] }) {
  return (
    <Box width={1}>
      <Text>{props.rows.join('\n')}</Text>
    </Box>
  );
}

function PaneContent(props: { readonly pane: Pane; readonly area: MainPaneArea }) {
  return props.pane === 'main' ? (
    <MainPane {...props.area} />
  ) : (
    <ListContent pane={props.pane} area={props.area} />
  );
}

/** A list below its title, which shows the range of the visible rows and the list's own state. */
function TitledList(props: {
  readonly pane: ListPane;
  readonly text: string;
  readonly area: PaneArea;
}) {
  const { pane, text, area } = props;
  const status = listPaneStatus(useDeck(), pane);
  const title = (range: string) => (
    <Title
      text={text}
      pane={pane}
      focused={area.focused}
      width={area.width}
      right={titleEnd(range, status, area.width - lineWidth([{ text }]) - 2 * titleFrame)}
    />
  );
  return <ListContent pane={pane} area={{ ...area, height: area.height - 1, title }} />;
}

function ListContent(props: { readonly pane: ListPane; readonly area: PaneArea }) {
  const { Content } = listPaneViews[props.pane];
  return <Content {...props.area} />;
}

/** Returns the titles of all panes and follows every store that they and their states depend on. */
function usePaneTitles(long: boolean, room?: number): Readonly<Record<Pane, string>> {
  const deck = useDeck();
  useStore(deck.refresh.reach);
  useStore(deck.opened);
  // No pane draws the overlay, so a letter typed into it redraws none of them: half of the time of a
  // letter in the palette.
  useStore(
    deck.screen,
    useShallow((screen) => ({ ...screen, overlay: undefined })),
  );
  useTail();
  useNow(1000);
  const { lists } = deck;
  const subscribe = useCallback(
    (changed: () => void) => {
      const ends = Object.values(lists).map((list) => list.subscribe(changed));
      return () => {
        for (const end of ends) end();
      };
    },
    [lists],
  );
  // Compared as text, because each call returns another object.
  useSyncExternalStore(subscribe, () =>
    JSON.stringify([
      listPaneTitles(deck, room),
      eachListPane((pane) => listPaneStatus(deck, pane)),
    ]),
  );
  return { ...listPaneTitles(deck, room), main: mainPaneTitle(deck, long) };
}

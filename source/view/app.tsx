import { Box, Text } from 'ink';
import { useStore } from 'zustand';
import { FilterPrompt, filterHints } from './dialogs/filter.tsx';
import { findHints, FindRow } from './dialogs/find.tsx';
import { Help } from './dialogs/help.tsx';
import { promptHints, PromptRow } from './dialogs/prompt.tsx';
import { QuestionBox } from './dialogs/question.tsx';
import { RestartBox } from './dialogs/restart.tsx';
import { RestartsBox } from './dialogs/restarts.tsx';
import { ServicePicker } from './dialogs/services.tsx';
import { useConsole, useGlyphs, useScreen } from './context.ts';
import { changeText } from './diff-picture.ts';
import { problemText } from './editor-picture.ts';
import { footerLine, hintLine } from './footer.ts';
import { contextOf } from './keymap.ts';
import { computeLayout, type Layout, mainArea } from './layout.ts';
import { type Line, plain } from './line.ts';
import { messageLine, messageRows } from './message.ts';
import { DeploymentsPane } from './panes/deployments.tsx';
import { PreviewPane } from './panes/details.tsx';
import { EditorPane } from './panes/editor.tsx';
import { FilesPane } from './panes/files.tsx';
import { GrantsPane } from './panes/grants.tsx';
import { MainPane, type MainPaneArea } from './panes/main.tsx';
import type { PaneArea } from './parts/list-pane.tsx';
import { Row } from './parts/row.tsx';
import { Title } from './parts/title.tsx';
import { StatusRow } from './parts/status-row.tsx';
import { frozenText, paneTitle } from './subject.ts';
import { tabsLine } from './tabs.ts';
import { transferLine } from './transfer-line.ts';
import { useNow } from './use-now.ts';
import { useTail } from './use-tail.ts';
import { useWindowSize } from './use-window-size.ts';
import type { ListPane, Pane } from '../store/screen.ts';

type Split = Extract<Layout, { kind: 'split' }>;

/** The whole screen: row 1, the panes, what lies above them, and the last two rows. */
export function App() {
  const { columns, rows } = useWindowSize();
  const focus = useScreen((screen) => screen.focus);
  const fullscreen = useScreen((screen) => screen.fullscreen);
  const widen = useScreen((screen) => screen.widen);
  const layout = computeLayout({ columns, rows, focus, fullscreen, widen });
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

/** Pane 4 alone. */
function FullPane({ layout }: { readonly layout: Extract<Layout, { kind: 'fullscreen' }> }) {
  const edits = useScreen((screen) => screen.main.kind === 'editor');
  return edits ? <EditorPane layout={layout} /> : <MainPane {...mainArea(layout)} focused />;
}

/** One pane over the full width, below the tabs; the editor over these too. */
function SinglePane({ layout }: { readonly layout: Extract<Layout, { kind: 'single' }> }) {
  const edits = useScreen(({ focus, main }) => focus === 'main' && main.kind === 'editor');
  return edits ? <EditorPane layout={layout} /> : <TabbedPane layout={layout} />;
}

function TabbedPane({ layout }: { readonly layout: Extract<Layout, { kind: 'single' }> }) {
  const focus = useScreen((screen) => screen.focus);
  const titles = usePaneTitles(false);
  const tabs = tabsLine(titles, focus, layout.width);
  return (
    <>
      <Row line={tabs} width={layout.width} />
      <PaneContent pane={focus} area={{ ...mainArea(layout), focused: true }} />
    </>
  );
}

/** Lists at the left, the log or a view at the right, details beside it where there is room. */
function SplitPanes({ layout }: { readonly layout: Split }) {
  const glyphs = useGlyphs();
  const focus = useScreen((screen) => screen.focus);
  const edits = useScreen((screen) => screen.main.kind === 'editor');
  const titles = usePaneTitles(true);
  const contentHeight = layout.height - 1;
  return (
    <Box height={layout.height}>
      <Box flexDirection="column" width={layout.leftWidth}>
        {layout.left.map(({ pane, height }) => (
          <Box key={pane} flexDirection="column" height={height}>
            <Title text={titles[pane]} focused={focus === pane} width={layout.leftWidth} ruled />
            <ListContent
              pane={pane}
              area={{ width: layout.leftWidth, height: height - 1, focused: focus === pane }}
            />
          </Box>
        ))}
      </Box>
      <Rule rows={ruleCharacters(layout, glyphs.teeDown, glyphs.teeLeft, glyphs.vertical)} />
      <Box flexDirection="column" width={layout.mainWidth}>
        {edits ? (
          <EditorPane layout={layout} />
        ) : (
          <>
            <Title
              text={titles.main}
              focused={focus === 'main'}
              width={layout.mainWidth}
              ruled={false}
            />
            <MainPane {...mainArea(layout)} focused={focus === 'main'} />
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

/** The rule between the sides, joined to the titles of the left panes. */
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

function ListContent(props: { readonly pane: ListPane; readonly area: PaneArea }) {
  switch (props.pane) {
    case 'deployments':
      return <DeploymentsPane {...props.area} />;
    case 'files':
      return <FilesPane {...props.area} />;
    case 'grants':
      return <GrantsPane {...props.area} />;
  }
}

/** Titles of all panes, renewed when anything they speak of changes. */
function usePaneTitles(long: boolean): Readonly<Record<Pane, string>> {
  const console = useConsole();
  useStore(console.deployments.list.state);
  useStore(console.files.list.state);
  useStore(console.files.state);
  useStore(console.grants.list.state);
  useStore(console.refresh.reach);
  useStore(console.opened);
  useStore(console.screen);
  useTail();
  useNow(1000);
  return {
    deployments: paneTitle(console, 'deployments', long),
    files: paneTitle(console, 'files', long),
    grants: paneTitle(console, 'grants', long),
    main: paneTitle(console, 'main', long),
  };
}

/** The last two rows: a prompt or what is to be said, and the keys. */
function LastRows({ width }: { readonly width: number }) {
  const overlay = useScreen((screen) => screen.overlay);
  const focus = useScreen((screen) => screen.focus);
  const main = useScreen((screen) => screen.main);
  switch (overlay?.kind) {
    case 'filter':
      return (
        <>
          <FilterPrompt pane={overlay.pane} caret={overlay.caret} />
          <Row line={hintLine(filterHints)} width={width} />
        </>
      );
    case 'find':
      return (
        <>
          <FindRow finding={overlay} />
          <Row line={hintLine(findHints[overlay.field])} width={width} />
        </>
      );
    case 'prompt':
      return (
        <>
          <PromptRow prompting={overlay} />
          <Row line={hintLine(promptHints(overlay.prompt))} width={width} />
        </>
      );
    case 'help':
    case 'services':
    case 'restart':
    case 'restarts':
    case 'question':
    case undefined:
      return <Message width={width} keys={footerLine(contextOf(focus, main), width)} />;
  }
}

/** What is to be said; where it is longer than its row, it goes on in place of the keys. */
function Message({ width, keys }: { readonly width: number; readonly keys: Line }) {
  const console = useConsole();
  const message = useScreen((screen) => screen.message);
  const transfer = useScreen((screen) => screen.transfer);
  const reach = useStore(console.refresh.reach);
  useTail();
  const frozen = frozenText(console);
  const problem = useStore(console.editor.state, () => problemText(console));
  const main = useScreen((screen) => screen.main.kind);
  const change = useStore(console.difference.state, changeText);
  const reading = frozen === undefined ? '' : `${frozen}. G follows.`;
  const state = main === 'editor' ? problem : main === 'diff' ? change : reading;
  const isTicking = message !== undefined || reach.kind === 'away' || frozen !== undefined;
  const now = useNow(isTicking ? 1000 : undefined);
  const said = messageLine(message, reach, console.profile.host, now);
  const quiet = transfer === undefined ? plain(state) : transferLine(transfer);
  const [first, second = keys] = messageRows(said.length === 0 ? quiet : said, width);
  return (
    <>
      <Row line={first} width={width} />
      <Row line={second} width={width} />
    </>
  );
}

function OverlayBox(props: { readonly columns: number; readonly rows: number }) {
  const overlay = useScreen((screen) => screen.overlay);
  switch (overlay?.kind) {
    case 'help':
      return <Help pane={overlay.pane} page={overlay.page} {...props} />;
    case 'services':
      return <ServicePicker line={{ text: overlay.narrow, caret: overlay.caret }} {...props} />;
    case 'restart':
      return <RestartBox deployment={overlay.deployment} button={overlay.button} {...props} />;
    case 'restarts':
      return <RestartsBox deployment={overlay.deployment} button={overlay.button} {...props} />;
    case 'question':
      return <QuestionBox box={overlay} {...props} />;
    case 'filter':
    case 'prompt':
    case 'find':
    case undefined:
      return undefined;
  }
}

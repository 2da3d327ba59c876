import { Box } from 'ink';
import { useStore } from 'zustand';
import { progressSentence } from '../../store/deployments/batch-sentences.ts';
import { isBatchRunning } from '../../store/deployments/batch-state.ts';
import { alertLine } from '../alerts/alert-text.ts';
import { FilterPrompt, filterHints } from './filter-row.tsx';
import { findHints, FindRow } from '../editor/find-row.tsx';
import { PromptKeys, PromptRow } from './prompts/prompt-row.tsx';
import { useClickArea } from '../parts/click-map.ts';
import { useDeck, useScreen } from '../parts/context.ts';
import { changeText } from '../editor/diff-rows.ts';
import { problemText } from '../editor/rows.ts';
import { footerKeys } from './footer.ts';
import { footerReach } from './footer-reach.ts';
import { type FooterKey, hintLine, keyAt, keysLine } from '../text/hints.ts';
import { contextOf } from '../command/command.ts';
import { lineWidth } from '../text/fit.ts';
import { plain, span } from '../text/line.ts';
import { selectionText } from '../log/range.ts';
import { coversKeys, historyHint, messageLine, messageRows } from './message.ts';
import { Row } from '../parts/row.tsx';
import { positionText } from '../log/position.ts';
import { treeRowUnderCursor } from '../files/subject.ts';
import { transferLine } from '../files/transfer-line.ts';
import { shownCommands } from '../command/registry.ts';
import { useCommands } from './commands-context.ts';
import { useNow } from '../parts/use-now.ts';
import { useSeeking, useTail } from '../log/use-tail.ts';

/** The last two rows: a prompt or a message, and the keys. */
export function LastRows({ width }: { readonly width: number }) {
  const overlay = useScreen((screen) => screen.overlay);
  const focus = useScreen((screen) => screen.focus);
  const main = useScreen((screen) => screen.main);
  const deck = useDeck();
  const context = contextOf(focus, main);
  useStore(deck.editor.state, ({ document }) => document?.kind);
  useTail();
  useStore(deck.access.state);
  useStore(deck.refresh.reach, ({ kind }) => kind);
  useStore(deck.deployments.list.state, () => footerReach(deck));
  useStore(deck.files.ofServices.state);
  const fold = () => {
    const row = treeRowUnderCursor(deck);
    return row?.folder === true ? row.open : undefined;
  };
  useScreen(fold);
  useStore(deck.files.state, fold);
  useScreen((screen) => screen.detailCursor);
  const commands = shownCommands(useCommands(), context, deck);
  const reach = footerReach(deck);
  switch (overlay?.kind) {
    case 'filter':
      return (
        <>
          <FilterPrompt overlay={overlay} />
          <Row line={hintLine(filterHints, width)} width={width} />
        </>
      );
    case 'find':
      return (
        <>
          <FindRow finding={overlay} />
          <Row line={hintLine(findHints[overlay.field], width)} width={width} />
        </>
      );
    case 'prompt':
      return (
        <>
          <PromptRow prompting={overlay} />
          <PromptKeys prompting={overlay} width={width} />
        </>
      );
    case 'help':
    case 'menu':
    case 'log-services':
    case 'log-filters':
    case 'log-columns':
    case 'palette':
    case 'trash':
    case 'restart':
    case 'restarts':
    case 'question':
    case 'grant':
    case undefined:
      return <Message width={width} keys={footerKeys(commands, context, reach)} />;
  }
}

/** The message row and the keys; a long message continues in place of the keys. */
function Message({ width, keys }: { readonly width: number; readonly keys: readonly FooterKey[] }) {
  const deck = useDeck();
  const message = useScreen((screen) => screen.message);
  const transfer = useScreen((screen) => screen.transfer);
  const reach = useStore(deck.refresh.reach);
  const seeking = useSeeking();
  const problem = useStore(deck.editor.state, () => problemText(deck));
  const main = useScreen((screen) => screen.main.kind);
  const focus = useScreen((screen) => screen.focus);
  const change = useStore(deck.editor.difference.state, changeText);
  useScreen((screen) => screen.logLeft);
  useScreen((screen) => screen.times);
  const selection = selectionText(deck);
  const position = seeking ?? positionText(deck, selection);
  const state = main === 'editor' ? problem : main === 'diff' ? change : position;
  const isTicking = message !== undefined || reach.kind === 'away';
  const now = useNow(isTicking ? 1000 : undefined);
  // A search answers a key, so it hides the notice that the service is away; row 1 still shows it.
  const away = seeking === undefined ? reach : { kind: 'up' as const };
  const hint = historyHint(main === 'editor' && focus === 'main');
  const messageText = messageLine(message, away, now, width, hint);
  const batch = useStore(deck.deployments.batch.state);
  const isBatched = batch !== undefined && isBatchRunning(batch);
  const rest = isBatched
    ? plain(progressSentence(batch, (id) => deck.deployments.label(id)))
    : plain(state);
  const quiet = transfer === undefined ? rest : transferLine(transfer);
  useStore(deck.attention.state);
  useStore(deck.alerts.state);
  const isText = (main === 'editor' || main === 'diff') && state !== '';
  const isBusy =
    isBatched || isText || transfer !== undefined || (seeking ?? selection) !== undefined;
  const alert = isBusy ? [] : alertLine(deck, width);
  // The position of the reader stays beside an alert where both fit.
  const both = alert.length > 0 && lineWidth(quiet) > 0 ? [...alert, span(' '), ...quiet] : alert;
  const barred = lineWidth(both) <= width ? both : alert;
  const shown = alert.length > 0 ? barred : quiet;
  const hasMessage = messageText.length > 0;
  const mayCover = !hasMessage || coversKeys(message, now);
  const [first, continued] = messageRows(hasMessage ? messageText : shown, width, mayCover, hint);
  const ref = useClickArea((x) => {
    const command = continued === undefined ? keyAt(keys, width, x)?.command : undefined;
    return command === undefined ? undefined : { kind: 'hint', command };
  });
  return (
    <>
      <Row line={first} width={width} />
      <Box ref={ref} height={1} width={width}>
        <Row line={continued ?? keysLine(keys, width)} width={width} />
      </Box>
    </>
  );
}

import { useStore } from 'zustand';
import type { BodyScroll } from '../../store/prompts/body-scroll.ts';
import { useDeck } from '../parts/context.ts';
import { ScrollingBox } from '../parts/scrolling-box.tsx';
import { useShown } from '../parts/use-shown.ts';
import { boxShape } from '../text/box-shape.ts';
import { buttonRows, selectedButton } from '../text/confirm-lines.ts';
import { wrapWords } from '../text/fit.ts';
import { plain, span } from '../text/line.ts';
import { profileSpan } from '../text/status-line.ts';
import { pendingRestartRows, restartRows, restartSheetRows } from './rows.ts';
import { draftsSentence, stopsAndStarts } from './summary.ts';

const laterButtons = ['Restart now', "Don't restart"];

/** Box of all pending restarts; their countdowns pause while it is open. */
export function RestartsBox(props: {
  readonly deployment: string;
  readonly button: number;
  readonly scroll?: BodyScroll | undefined;
  readonly columns: number;
  readonly rows: number;
}) {
  const { columns, rows } = props;
  const deck = useDeck();
  const deployments = useStore(deck.deployments.list.state, (list) => list.rows);
  const drafts = useStore(deck.drafts.state, (state) => state.drafts);
  useStore(deck.restarts.state);
  useShown();
  const pending = pendingRestartRows(deck, props.deployment);
  const { isSheet, inner } = boxShape(columns, rows);
  const listed = isSheet
    ? restartSheetRows(pending, props.deployment, inner)
    : restartRows(pending, props.deployment);
  const first = pending.findIndex(({ id }) => id === props.deployment);
  const selection = { first, rows: 1 + listed.length - pending.length };
  const deployment = deployments.find((row) => row.value.id === props.deployment)?.value;
  const draftsText = draftsSentence(props.deployment, drafts.values());
  const sentence = wrapWords(plain(`${stopsAndStarts(deployment)}${draftsText}`), inner);
  const isCounting = pending.some(({ restart }) => restart?.kind === 'counting');
  const stay = isCounting ? 'Resume countdown' : 'Cancel';
  const buttons = [stay, ...laterButtons].map((label, index) =>
    selectedButton(label, index, index === props.button, index === 1 ? 'danger' : 'focus'),
  );
  return (
    <ScrollingBox
      title={[
        profileSpan(deck.profile),
        span(isCounting ? ': pending restarts (paused)' : ': restarts'),
      ]}
      body={listed}
      selection={selection}
      scroll={props.scroll}
      answers={[...sentence, ...buttonRows(buttons, inner)]}
      hints={[
        ['Up/Down', ''],
        ['Tab', ''],
        ['Enter', ''],
        ['Esc', stay.toLowerCase()],
      ]}
      columns={columns}
      rows={rows}
    />
  );
}

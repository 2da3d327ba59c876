import { useStore } from 'zustand';
import { useDeck } from '../parts/context.ts';
import { wrapWords } from '../text/fit.ts';
import { plain, span } from '../text/line.ts';
import { boxRoom, boxWidth, FramedBox } from '../parts/box.tsx';
import { firstShown, fitButtons } from '../text/confirm-lines.ts';
import { pendingRestartRows, restartRows } from './rows.ts';
import { draftsSentence, stopsAndStarts } from './summary.ts';
import { profileSpan } from '../text/status-line.ts';
import { useShown } from '../parts/use-shown.ts';

const laterButtons = ['Restart now', "Don't restart"];

/** Rows of the box besides those of the restarts and the sentence: a blank and the buttons. */
const fixedRows = 2;

/** Box of all pending restarts; their countdowns pause while it is open. */
export function RestartsBox(props: {
  readonly deployment: string;
  readonly button: number;
  readonly columns: number;
  readonly rows: number;
}) {
  const deck = useDeck();
  const deployments = useStore(deck.deployments.list.state, (list) => list.rows);
  const drafts = useStore(deck.drafts.state, (state) => state.drafts);
  useStore(deck.restarts.state);
  useShown();
  const pending = pendingRestartRows(deck, props.deployment);
  const chosen = pending.findIndex(({ id }) => id === props.deployment);
  const width = boxWidth(props.columns) - 4;
  const deployment = deployments.find((row) => row.value.id === props.deployment)?.value;
  const draftsText = draftsSentence(props.deployment, drafts.values());
  const sentence = wrapWords(plain(`${stopsAndStarts(deployment)}${draftsText}`), width);
  const room = Math.max(1, boxRoom(props.rows) - fixedRows - sentence.length);
  const first = firstShown(chosen, pending.length, room);
  const rows = restartRows(pending, props.deployment).slice(first, first + room);
  const isCounting = pending.some(({ restart }) => restart?.kind === 'counting');
  const stay = isCounting ? 'Resume countdown' : 'Cancel';
  const labels = [stay, ...laterButtons].flatMap((label, index) =>
    index === props.button
      ? [span(`[${label}]`, index === 1 ? 'danger' : 'focus'), span('   ')]
      : [span(label), span('   ')],
  );
  return (
    <FramedBox
      title={[
        profileSpan(deck.profile),
        span(isCounting ? ': pending restarts (paused)' : ': restarts'),
      ]}
      lines={[...rows, [], ...sentence, fitButtons(labels, 2 * props.button, width)]}
      hints={[
        ['Up/Down', ''],
        ['Tab', ''],
        ['Enter', ''],
        ['Esc', stay.toLowerCase()],
      ]}
      columns={props.columns}
      rows={props.rows}
    />
  );
}

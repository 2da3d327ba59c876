import { useStore } from 'zustand';
import { useDeck } from '../parts/context.ts';
import { wrapWords } from '../text/fit.ts';
import { type Line, plain, span } from '../text/line.ts';
import { boxRoom, boxWidth, FramedBox } from '../parts/box.tsx';
import { fitButtons } from '../text/confirm-lines.ts';
import { restartSummary } from './summary.ts';
import { profileSpan } from '../text/status-line.ts';
import { useShown } from '../parts/use-shown.ts';

/** Box that confirms a restart and lists the services that stop. Opens on Cancel. */
export function RestartBox(props: {
  readonly deployment: string;
  readonly button: number;
  readonly columns: number;
  readonly rows: number;
}) {
  const deck = useDeck();
  const rows = useStore(deck.deployments.list.state, (list) => list.rows);
  const restarts = useStore(deck.restarts.state);
  useShown();
  const deployment = rows.find((row) => row.value.id === props.deployment)?.value;
  const summary = restartSummary(props.deployment, deployment, restarts.get(props.deployment));
  const buttons: Line = ['Cancel', 'Restart now'].flatMap((label, index) =>
    index === props.button
      ? [span(`[${label}]`, index === 0 ? 'focus' : 'danger'), span('   ')]
      : [span(label), span('   ')],
  );
  const width = boxWidth(props.columns) - 4;
  const room = boxRoom(props.rows) - 1;
  const text = summary.lines.flatMap((line) => wrapWords(plain(line), width)).slice(0, room);
  const gap: readonly Line[] = text.length < room ? [[]] : [];
  return (
    <FramedBox
      title={[profileSpan(deck.profile), span(`: restart ${summary.label}?`)]}
      lines={[...text, ...gap, fitButtons(buttons, 2 * props.button, width)]}
      hints={[
        ['Tab', ''],
        ['Enter', ''],
        ['Esc', 'cancel'],
      ]}
      columns={props.columns}
      rows={props.rows}
    />
  );
}

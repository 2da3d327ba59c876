import { useStore } from 'zustand';
import { useConsole } from '../context.ts';
import { wrapWords } from '../fit.ts';
import { type Line, plain, span } from '../line.ts';
import { boxRoom, boxWidth, FramedBox } from '../parts/box.tsx';
import { fitButtons } from '../question-lines.ts';
import { restartSummary } from '../restart-summary.ts';
import { profileSpan } from '../status.ts';
import { useShown } from '../use-shown.ts';

/** Asks before a restart: what will stop and start. Opens on Cancel. */
export function RestartBox(props: {
  readonly deployment: string;
  readonly button: number;
  readonly columns: number;
  readonly rows: number;
}) {
  const console = useConsole();
  const rows = useStore(console.deployments.list.state, (list) => list.rows);
  const restarts = useStore(console.restarts.state);
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
  const said = summary.lines.flatMap((line) => wrapWords(plain(line), width)).slice(0, room);
  const gap: readonly Line[] = said.length < room ? [[]] : [];
  return (
    <FramedBox
      title={[profileSpan(console.profile), span(`: restart ${summary.label}?`)]}
      lines={[...said, ...gap, fitButtons(buttons, 2 * props.button, width)]}
      hints={[
        ['Tab', ''],
        ['Enter', ''],
        ['Esc', 'cancels'],
      ]}
      columns={props.columns}
      rows={props.rows}
    />
  );
}

import { useStore } from 'zustand';
import { useConsole } from '../context.ts';
import { hintLine } from '../footer.ts';
import { type Line, plain, span } from '../line.ts';
import { FramedBox } from '../parts/box.tsx';
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
  return (
    <FramedBox
      title={[profileSpan(console.profile), span(`: restart ${summary.label}?`)]}
      lines={[...summary.lines.map(plain), [], buttons]}
      hint={hintLine([
        ['Tab', ''],
        ['Enter', ''],
        ['Esc', 'cancels'],
      ])}
      columns={props.columns}
      rows={props.rows}
    />
  );
}

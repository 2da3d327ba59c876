import { useStore } from 'zustand';
import { useConsole } from '../context.ts';
import { hintLine } from '../footer.ts';
import { plain, span } from '../line.ts';
import { FramedBox } from '../parts/box.tsx';
import { pendingRestarts, restartRows } from '../restart-rows.ts';
import { draftsSentence, stopsAndStarts } from '../restart-summary.ts';
import { profileSpan } from '../status.ts';
import { useShown } from '../use-shown.ts';

const buttons = ['Keep counting', 'Restart now', 'Do not restart'];

/** Rows that the box has beside those of the restarts: edges, a blank, a sentence, the buttons. */
const otherRows = 5;

/** Every restart that is pending, none of which counts while this is open. */
export function RestartsBox(props: {
  readonly deployment: string;
  readonly button: number;
  readonly columns: number;
  readonly rows: number;
}) {
  const console = useConsole();
  const deployments = useStore(console.deployments.list.state, (list) => list.rows);
  const drafts = useStore(console.drafts.state, (state) => state.drafts);
  useStore(console.restarts.state);
  useShown();
  const pending = pendingRestarts(console, props.deployment);
  const chosen = pending.findIndex(({ id }) => id === props.deployment);
  const room = Math.max(1, props.rows - 2 - otherRows);
  const first = Math.max(0, Math.min(chosen - Math.floor(room / 2), pending.length - room));
  const shown = restartRows(pending, props.deployment).slice(first, first + room);
  const deployment = deployments.find((row) => row.value.id === props.deployment)?.value;
  return (
    <FramedBox
      title={[profileSpan(console.profile), span(': restarts, not counting while this is open')]}
      lines={[
        ...shown,
        [],
        plain(`${stopsAndStarts(deployment)}${draftsSentence(props.deployment, drafts.values())}`),
        buttons.flatMap((label, index) =>
          index === props.button
            ? [span(`[${label}]`, index === 1 ? 'danger' : 'focus'), span('   ')]
            : [span(label), span('   ')],
        ),
      ]}
      hint={hintLine([
        ['Up/Down', ''],
        ['Tab', ''],
        ['Enter', ''],
        ['Esc', 'keeps counting'],
      ])}
      columns={props.columns}
      rows={props.rows}
    />
  );
}

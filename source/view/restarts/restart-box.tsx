import { useStore } from 'zustand';
import type { BodyScroll } from '../../store/prompts/body-scroll.ts';
import { useDeck } from '../parts/context.ts';
import { ScrollingBox } from '../parts/scrolling-box.tsx';
import { useShown } from '../parts/use-shown.ts';
import { boxShape } from '../text/box-shape.ts';
import { buttonRows, confirmBody, selectedButton } from '../text/confirm-lines.ts';
import { span } from '../text/line.ts';
import { profileSpan } from '../text/status-line.ts';
import { restartSummary } from './summary.ts';

/** Box that confirms a restart and lists the services that stop. Opens on Cancel. */
export function RestartBox(props: {
  readonly deployment: string;
  readonly button: number;
  readonly scroll?: BodyScroll | undefined;
  readonly columns: number;
  readonly rows: number;
}) {
  const { columns, rows } = props;
  const deck = useDeck();
  const listed = useStore(deck.deployments.list.state, (list) => list.rows);
  const restarts = useStore(deck.restarts.state);
  useShown();
  const deployment = listed.find((row) => row.value.id === props.deployment)?.value;
  const summary = restartSummary(props.deployment, deployment, restarts.get(props.deployment));
  const buttons = ['Cancel', 'Restart now'].map((label, index) =>
    selectedButton(label, index, index === props.button, index === 0 ? 'focus' : 'danger'),
  );
  const { inner } = boxShape(columns, rows);
  return (
    <ScrollingBox
      title={[profileSpan(deck.profile), span(`: restart ${summary.label}?`)]}
      body={confirmBody(summary, inner)}
      scroll={props.scroll}
      answers={buttonRows(buttons, inner)}
      hints={[
        ['Tab', ''],
        ['Enter', ''],
        ['Esc', 'cancel'],
      ]}
      columns={columns}
      rows={rows}
    />
  );
}

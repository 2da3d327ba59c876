import type { ConfirmBox } from '../../../store/prompts/confirm.ts';
import { useDeck } from '../../parts/context.ts';
import { span } from '../../text/line.ts';
import { boxRoom, boxWidth, FramedBox } from '../../parts/box.tsx';
import { confirmLines, typedLines } from '../../text/confirm-lines.ts';
import { profileSpan } from '../../text/status-line.ts';
import { useShown } from '../../parts/use-shown.ts';

/** The box of a confirmation. */
export function QuestionBox(props: {
  readonly box: ConfirmBox;
  readonly columns: number;
  readonly rows: number;
}) {
  const { box, columns, rows } = props;
  const { profile, screen } = useDeck();
  const { question } = box;
  useShown(question);
  const isList = question.options.some(({ meaning }) => meaning !== undefined);
  const width = boxWidth(columns) - 4;
  const room = boxRoom(rows);
  const typed = question.typed === undefined ? undefined : typedLines(box, width, room - 1);
  return (
    <FramedBox
      title={[profileSpan(profile), span(`: ${question.title}`)]}
      lines={typed?.below ?? confirmLines(box, width, room)}
      {...(typed && {
        above: typed.above,
        field: {
          prompt: typed.prompt,
          line: box,
          onEdit: (line) => screen.overlay.open({ ...box, ...line }),
        },
      })}
      hints={[
        [isList ? 'Up/Down' : 'Tab', ''],
        ['Enter', ''],
        ['Esc', question.escape],
      ]}
      columns={columns}
      rows={rows}
    />
  );
}

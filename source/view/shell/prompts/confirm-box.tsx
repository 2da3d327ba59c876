import { sanitize } from '../../../terminal/screen/sanitize.ts';
import type { ConfirmBox } from '../../../store/prompts/confirm.ts';
import { useDeck } from '../../parts/context.ts';
import { ScrollingBox } from '../../parts/scrolling-box.tsx';
import { useShown } from '../../parts/use-shown.ts';
import { boxShape } from '../../text/box-shape.ts';
import { answerRows, confirmBody, hasMeanings, typedPrompt } from '../../text/confirm-lines.ts';
import { span } from '../../text/line.ts';
import { profileSpan } from '../../text/status-line.ts';

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
  const shape = boxShape(columns, rows);
  const body = confirmBody(question, shape.inner);
  const typed = question.typed === undefined ? undefined : typedPrompt(question.typed, shape.inner);
  return (
    <ScrollingBox
      title={[profileSpan(profile), span(`: ${sanitize(question.title, { tab: 'visible' })}`)]}
      body={body}
      scroll={box.scroll}
      field={
        typed && {
          ...typed,
          line: box,
          onEdit: (line) => screen.overlay.open({ ...box, ...line }),
        }
      }
      answers={answerRows(box, shape, body.length)}
      hints={[
        [hasMeanings(question) ? 'Up/Down' : 'Tab', ''],
        ['Enter', ''],
        ['Esc', question.escape],
      ]}
      columns={columns}
      rows={rows}
    />
  );
}

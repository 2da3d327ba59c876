import { Text } from 'ink';
import TextInput from 'ink-text-input';
import { encodeRow } from '../../terminal/screen/cell-style.ts';
import { cellWidth } from '../../terminal/screen/cells.ts';
import type { Cell } from '../../terminal/screen/screen.ts';
import { useColours, usePainter } from './context.ts';
import { fieldWindow } from '../text/field-window.ts';
import { span } from '../text/line.ts';
import { styleRow } from '../text/styled-row.ts';
import type { EditedLine } from '../text/line-editor.ts';
import { useTerminalCursor } from './use-terminal-cursor.ts';

/**
 * A one-line text field that fills its columns. Keys edit its line in the store before Ink receives
 * them, so fast typing is neither lost nor inserted at an outdated caret.
 */
export function Field(props: {
  readonly prompt: string;
  /** First cell of the prompt on the screen, and the width of prompt and field. */
  readonly at: Cell & { readonly width: number };
  readonly line: EditedLine;
}) {
  const { at, prompt } = props;
  const depth = useColours();
  const painter = usePainter();
  const promptWidth = cellWidth(prompt);
  const { before, atCaret, after } = fieldWindow(props.line, at.width - promptWidth);
  const caret = promptWidth + cellWidth(before);
  useTerminalCursor({ x: at.x + caret, y: at.y });
  const under = atCaret === '' ? ' ' : atCaret;
  const blank = ' '.repeat(Math.max(0, at.width - caret - cellWidth(under + after)));
  return (
    <Text wrap="truncate">
      {prompt}
      <Typed text={before} />
      {painter === undefined ? encodeRow(styleRow([span(under, 'cursor')], depth)) : under}
      <Typed text={after} />
      {blank}
    </Text>
  );
}

/** Draws text only: the component's own caret handles neither Home nor multi-code-point characters. */
function Typed(props: { readonly text: string }) {
  return <TextInput value={props.text} focus={false} showCursor={false} onChange={() => {}} />;
}

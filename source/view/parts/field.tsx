import { Text, Transform } from 'ink';
import TextInput from 'ink-text-input';
import { useLayoutEffect } from 'react';
import { encodeRow } from '../../terminal/screen/cell-style.ts';
import { cellWidth } from '../../terminal/screen/cells.ts';
import type { Cell } from '../../terminal/screen/painter.ts';
import { useTheme, usePainter } from './context.ts';
import { fieldWindow } from '../text/field-window.ts';
import { span } from '../text/line.ts';
import { styleRow } from '../text/styled-row.ts';
import { type EditedLine, replaceBeforeCaret } from '../text/line-editor.ts';

/**
 * A one-line text field that fills its columns. With `onEdit`, ink-text-input takes the keys that are
 * passed on to Ink (`shell/prompts/field-keys.ts`). It knows neither graphemes nor words nor a caret
 * that others set, so it holds the text before the caret only, and restarts after each change.
 */
export function Field(props: {
  readonly prompt: string;
  /** First cell of the prompt on the screen, and the width of prompt and field. */
  readonly at: Cell & { readonly width: number };
  readonly line: EditedLine;
  /** True while the whole text is selected. */
  readonly isSelected?: boolean | undefined;
  readonly onEdit?: ((line: EditedLine) => void) | undefined;
}) {
  const { at, prompt, line, isSelected = false, onEdit } = props;
  const theme = useTheme();
  const painter = usePainter();
  const promptWidth = cellWidth(prompt);
  const { before, atCaret, after } = fieldWindow(line, at.width - promptWidth);
  const caret = promptWidth + cellWidth(before);
  useTerminalCursor({ x: at.x + caret, y: at.y });
  const under = atCaret === '' ? ' ' : atCaret;
  const blank = ' '.repeat(Math.max(0, at.width - caret - cellWidth(under + after)));
  const typed = line.text.slice(0, line.caret);
  const shown = isSelected ? encodeRow(styleRow([span(before, 'cursor')], theme)) : before;
  return (
    <Text wrap="truncate">
      {prompt}
      <Transform transform={() => shown}>
        <TextInput
          key={typed}
          value={typed}
          focus={onEdit !== undefined}
          showCursor={false}
          onChange={(next) => onEdit?.(replaceBeforeCaret(line, next))}
        />
      </Transform>
      {painter === undefined ? encodeRow(styleRow([span(under, 'cursor')], theme)) : under}
      {after}
      {blank}
    </Text>
  );
}

/**
 * Shows the terminal's cursor on a cell, for input methods and screen magnifiers. The cursor is
 * hidden again when the component unmounts.
 */
function useTerminalCursor({ x, y }: Cell): void {
  const painter = usePainter();
  useLayoutEffect(() => {
    painter?.placeCursor({ x, y });
    return () => painter?.placeCursor(undefined);
  }, [painter, x, y]);
}

import { useLayoutEffect } from 'react';
import type { Cell } from '../../terminal/screen/screen.ts';
import { usePainter } from './context.ts';

/**
 * Shows the terminal's cursor on a cell, for input methods and screen magnifiers. The cursor is
 * hidden again when the component unmounts.
 */
export function useTerminalCursor({ x, y }: Cell): void {
  const painter = usePainter();
  useLayoutEffect(() => {
    painter?.placeCursor({ x, y });
    return () => painter?.placeCursor(undefined);
  }, [painter, x, y]);
}

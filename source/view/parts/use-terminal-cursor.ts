import { useLayoutEffect } from 'react';
import type { Cell } from '../../terminal/screen/screen.ts';
import { usePainter } from './context.ts';

/**
 * Shows the terminal's cursor on a cell, where input methods put their window and magnifiers look.
 * It is hidden again when the part that asks is gone.
 */
export function useTerminalCursor({ x, y }: Cell): void {
  const painter = usePainter();
  useLayoutEffect(() => {
    painter?.placeCursor({ x, y });
    return () => painter?.placeCursor(undefined);
  }, [painter, x, y]);
}

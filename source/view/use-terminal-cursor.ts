import { useLayoutEffect } from 'react';
import type { Cell } from '../terminal/screen.ts';
import { usePainter } from './context.ts';

/**
 * Keeps the terminal's cursor on a cell, where input methods put their window. It stays unseen: what
 * has the focus draws its own.
 */
export function useTerminalCursor({ x, y }: Cell): void {
  const painter = usePainter();
  useLayoutEffect(() => {
    painter?.placeCursor({ x, y });
    return () => painter?.placeCursor(undefined);
  }, [painter, x, y]);
}

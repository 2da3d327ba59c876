import { useStdout } from 'ink';
import { useCallback, useSyncExternalStore } from 'react';

/** Size of a terminal that does not report one. */
const defaultSize = { columns: 80, rows: 24 };

/**
 * Returns the terminal's size in cells and follows resizes. Unlike Ink's hook of this name, it does
 * not render twice on first use.
 */
export function useWindowSize(): { readonly columns: number; readonly rows: number } {
  const stdout = useStdout().stdout as NodeJS.WriteStream;
  const subscribe = useCallback(
    (changed: () => void) => {
      stdout.on('resize', changed);
      return () => {
        stdout.off('resize', changed);
      };
    },
    [stdout],
  );
  const columns = useSyncExternalStore(subscribe, () => stdout.columns || defaultSize.columns);
  const rows = useSyncExternalStore(subscribe, () => stdout.rows || defaultSize.rows);
  return { columns, rows };
}

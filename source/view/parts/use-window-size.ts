import { useStdout } from 'ink';
import { useCallback, useSyncExternalStore } from 'react';

/** What a terminal has that does not tell its size. */
const standard = { columns: 80, rows: 24 };

/**
 * The terminal's size in cells, renewed when it is resized. Unlike Ink's hook of this name it draws
 * nothing a second time when it is first used.
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
  const columns = useSyncExternalStore(subscribe, () => stdout.columns || standard.columns);
  const rows = useSyncExternalStore(subscribe, () => stdout.rows || standard.rows);
  return { columns, rows };
}

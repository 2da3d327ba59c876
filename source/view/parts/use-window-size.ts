import { useStdout } from 'ink';
import { useCallback, useSyncExternalStore } from 'react';

/** Size of a terminal that does not report one. */
const defaultSize = { columns: 80, rows: 24 };

/** Subscribers by terminal, so that each terminal has one listener whatever number of panes follow it. */
const subscribers = new WeakMap<NodeJS.WriteStream, Set<() => void>>();

/**
 * Returns the terminal's size in cells and follows resizes. Unlike Ink's hook of this name, it does
 * not render twice on first use.
 */
export function useWindowSize(): { readonly columns: number; readonly rows: number } {
  const stdout = useStdout().stdout as NodeJS.WriteStream;
  const subscribe = useCallback((changed: () => void) => followSize(stdout, changed), [stdout]);
  const columns = useSyncExternalStore(subscribe, () => stdout.columns || defaultSize.columns);
  const rows = useSyncExternalStore(subscribe, () => stdout.rows || defaultSize.rows);
  return { columns, rows };
}

/** Calls `changed` after each resize of the terminal; returns the function that stops it. */
export function followSize(stdout: NodeJS.WriteStream, changed: () => void): () => void {
  const all = subscribers.get(stdout) ?? new Set();
  if (all.size === 0) {
    subscribers.set(stdout, all);
    stdout.on('resize', notify);
  }
  all.add(changed);
  return () => {
    all.delete(changed);
    if (all.size === 0) stdout.off('resize', notify);
  };
}

function notify(this: NodeJS.WriteStream): void {
  for (const changed of subscribers.get(this) ?? []) changed();
}

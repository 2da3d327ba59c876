import type { LogLine } from '../../../contract/logs.ts';
import type { Entries, GapEntry, InsertedRun } from '../../../tail/arena/entries.ts';
import type { LogView } from './view.ts';

export interface GapCursorOptions {
  /** Entries that pass the filter. */
  readonly entries: Entries<LogLine>;
  readonly view: Pick<LogView, 'position' | 'goTo'>;
  readonly onInserted: (listener: (runs: readonly InsertedRun[]) => void) => () => void;
}

/**
 * Keeps the cursor on a gap while it is being filled. In joined logs, a gap that becomes narrower
 * gets another `seq`, because it moves past lines of the other logs.
 * @returns a function that stops it.
 */
export function trackGapCursor({ entries, view, onInserted }: GapCursorOptions): () => void {
  /** The gap under the cursor. */
  let gap: GapEntry<LogLine> | undefined;

  const updateGap = (): void => {
    const position = view.position.getState();
    if (position.kind === 'following') {
      gap = undefined;
      return;
    }
    const entry = entries.at(entries.indexOf(position.cursor));
    gap = entry?.kind === 'gap' && entry.seq === position.cursor ? entry : undefined;
  };

  const followGap = (): void => {
    const before = gap;
    if (before === undefined) return;
    updateGap();
    if (gap !== undefined) return;
    const remaining = entries.gaps.find(
      ({ member, seq, own = seq }) =>
        member === before.member && own === (before.own ?? before.seq),
    );
    if (remaining !== undefined) view.goTo(remaining.seq);
  };

  const unsubscribes = [view.position.subscribe(updateGap), onInserted(followGap)];
  return () => {
    for (const end of unsubscribes) end();
  };
}

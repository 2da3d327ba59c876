import type { LogLine } from '../../../contract/logs.ts';
import type { Entries, GapEntry, Inserted } from '../../../tail/arena/entries.ts';
import { isSameLine } from './pinned-head.ts';
import type { LogView } from './view.ts';

export interface GapCursorOptions {
  /** What is shown. */
  readonly entries: Entries<LogLine>;
  readonly view: Pick<LogView, 'position' | 'goTo'>;
  readonly onInserted: (listener: (runs: readonly Inserted[]) => void) => () => void;
}

/**
 * Keeps the cursor on a gap for as long as one is left there. Of joined logs, a gap that becomes
 * narrower gets another number: it has gone past lines of the other logs.
 * @returns what ends that.
 */
export function createGapCursor({ entries, view, onInserted }: GapCursorOptions): () => void {
  /** The gap under the cursor. */
  let gap: GapEntry<LogLine> | undefined;

  const look = (): void => {
    const position = view.position.getState();
    if (position.kind === 'following') {
      gap = undefined;
      return;
    }
    const entry = entries.at(entries.indexOf(position.cursor));
    gap = entry?.kind === 'gap' && entry.seq === position.cursor ? entry : undefined;
  };

  const follow = (): void => {
    const before = gap;
    if (before === undefined) return;
    look();
    if (gap !== undefined) return;
    const left = entries.gaps.find((one) => isPartOf(one, before));
    if (left !== undefined) view.goTo(left.seq);
  };

  const ends = [view.position.subscribe(look), onInserted(follow)];
  return () => {
    for (const end of ends) end();
  };
}

/** Whether it has an edge of the other one, which a gap keeps while it is filled from one side. */
function isPartOf(gap: GapEntry<LogLine>, whole: GapEntry<LogLine>): boolean {
  if (gap.member !== whole.member) return false;
  const { after } = whole;
  const isAbove = gap.after !== undefined && after !== undefined && isSameLine(gap.after, after);
  return isAbove || isSameLine(gap.until, whole.until);
}

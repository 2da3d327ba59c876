import type { LogLine } from '../../../contract/logs.ts';
import type { DroppedRun, Entries, GapEntry } from '../../../tail/arena/entries.ts';

/** Knows the gaps whose lines were searched in vain before memory dropped them: a filter hides these. */
export class SearchedGaps {
  readonly #entries: Entries<LogLine>;
  /** The gaps after the last change of the log, and their keys. */
  #noted: readonly GapEntry<LogLine>[] | undefined;
  #known = new Set<string>();
  /** Keys of the gaps that were searched. */
  #searched = new Set<string>();
  /** The last gaps of the log, and those among them in which matches may be. */
  #gaps: readonly GapEntry<LogLine>[] | undefined;
  #open: readonly GapEntry<LogLine>[] = [];

  constructor(entries: Entries<LogLine>) {
    this.#entries = entries;
  }

  /** Returns the gaps in which matches may be. */
  open(): readonly GapEntry<LogLine>[] {
    const { gaps } = this.#entries;
    if (gaps === this.#gaps) return this.#open;
    this.#gaps = gaps;
    this.#open =
      this.#searched.size === 0 ? gaps : gaps.filter((gap) => !this.#searched.has(keyOf(gap)));
    return this.#open;
  }

  /**
   * Notes a change of the log, with the lines that were dropped.
   * @param isVain returns whether lines were searched in vain before.
   */
  update(dropped: readonly DroppedRun[], isVain: (run: DroppedRun) => boolean): void {
    const { gaps } = this.#entries;
    if (gaps === this.#noted && dropped.length === 0) return;
    this.#noted = gaps;
    const known = this.#known;
    this.#known = new Set(gaps.map(keyOf));
    // Gaps become one when the lines between them are dropped.
    const isOther = (key: string): boolean => !this.#known.has(key) && !this.#searched.has(key);
    const hasJoinedOther = dropped.length > 0 && [...known].some(isOther);
    for (const run of dropped) {
      const key = keyOf({ seq: run.gap, member: run.member });
      const wasOpen = known.has(key) && !this.#searched.has(key);
      if (!isVain(run) || wasOpen || hasJoinedOther) this.#searched.delete(key);
      else this.#searched.add(key);
      known.add(key);
      this.#gaps = undefined;
    }
    for (const key of this.#searched) if (!this.#known.has(key)) this.#searched.delete(key);
  }

  /** Forgets what was searched. */
  reset(): void {
    this.#searched.clear();
    this.#gaps = undefined;
    this.#noted = undefined;
    this.update([], () => false);
  }
}

/** Returns what a gap keeps while it moves past the lines of other logs. */
function keyOf({ seq, own = seq, member = 0 }: Pick<GapEntry<LogLine>, 'seq' | 'own' | 'member'>) {
  return `${member} ${own}`;
}

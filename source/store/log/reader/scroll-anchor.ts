import type { LogLine } from '../../../contract/logs.ts';
import type { Entries } from '../../../tail/arena/entries.ts';
import type { LogFilter } from './filter.ts';
import type { LogPosition, LogTop, LogView } from './view.ts';

/** Keeps what a reader looks at where it is on the screen while a filter changes. */
export interface ScrollAnchor {
  /** Takes note of where that is. */
  beforeChange(): void;
  stop(): void;
}

/** What the reader looked at before the filter changed, until they move. */
interface Held {
  readonly position: LogPosition & { readonly kind: 'frozen' };
  readonly top: LogTop;
  /** Entries above the cursor. */
  readonly above: number;
}

/**
 * The line under the cursor, or the one that stands where it would, keeps its distance from the top,
 * as far as there are lines above; without the filter all is as it was.
 * @param entries what is shown, of which the filter decides.
 */
export function createScrollAnchor(
  filter: Pick<LogFilter, 'state'>,
  view: LogView,
  entries: Entries<LogLine>,
): ScrollAnchor {
  let held: Held | undefined;

  const stop = filter.state.subscribe(() => {
    if (held === undefined) return;
    const { position, top, above } = held;
    if (view.position.getState() !== position) {
      held = undefined;
      return;
    }
    const cursor = Math.min(entries.indexOf(position.cursor), entries.length - 1);
    const first = entries.at(Math.max(0, cursor - above));
    if (first === undefined) return;
    view.drawn(first.seq === top.seq ? top : { seq: first.seq, skipped: 0 });
  });

  return {
    beforeChange() {
      const position = view.position.getState();
      if (held?.position === position) return;
      const top = view.top();
      if (position.kind === 'following' || top === undefined) held = undefined;
      else {
        const above = entries.indexOf(position.cursor) - entries.indexOf(top.seq);
        held = { position, top, above: Math.max(0, above) };
      }
    },
    stop,
  };
}

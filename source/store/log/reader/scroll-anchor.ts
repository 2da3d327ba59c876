import type { LogLine } from '../../../contract/logs.ts';
import type { Entries } from '../../../tail/arena/entries.ts';
import type { LogFilter } from './filter.ts';
import type { LogPosition, ViewportTop, LogView } from './view.ts';

/** Keeps the cursor's row in place on the screen while a filter changes. */
export interface ScrollAnchor {
  /** Records the position of the cursor before the entries change. */
  capture(): void;
  stop(): void;
}

/** Position before the filter changed; valid until the reader moves. */
interface Anchor {
  readonly position: LogPosition & { readonly kind: 'frozen' };
  readonly top: ViewportTop;
  /** Entries above the cursor. */
  readonly above: number;
}

/**
 * Keeps the distance of the cursor from the top row, as far as there are lines above it. When the
 * filter is removed, the view returns to the position before it.
 * @param entries entries that pass the filter.
 */
export function createScrollAnchor(
  filter: Pick<LogFilter, 'state'>,
  view: LogView,
  entries: Entries<LogLine>,
): ScrollAnchor {
  let anchor: Anchor | undefined;

  const stop = filter.state.subscribe(() => {
    if (anchor === undefined) return;
    const { position, top, above } = anchor;
    if (view.position.getState() !== position) {
      anchor = undefined;
      return;
    }
    const cursor = Math.min(entries.indexOf(position.cursor), entries.length - 1);
    const first = entries.at(Math.max(0, cursor - above));
    if (first === undefined) return;
    view.recordTop(first.seq === top.seq ? top : { seq: first.seq, skipped: 0 });
  });

  return {
    capture() {
      const position = view.position.getState();
      if (anchor?.position === position) return;
      const top = view.top();
      if (position.kind === 'following' || top === undefined) anchor = undefined;
      else {
        const above = entries.indexOf(position.cursor) - entries.indexOf(top.seq);
        anchor = { position, top, above: Math.max(0, above) };
      }
    },
    stop,
  };
}

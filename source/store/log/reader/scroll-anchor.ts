import type { LogLine } from '../../../contract/logs.ts';
import type { Entries } from '../../../tail/arena/entries.ts';
import type { LogFilter } from './filter.ts';
import type { LogPosition, ViewportTop, LogView } from './view.ts';

/** Position before the filter changed; valid until the reader moves. */
interface Anchor {
  readonly position: LogPosition & { readonly kind: 'frozen' };
  readonly top: ViewportTop;
  /** Entries above the cursor. */
  readonly above: number;
}

/**
 * Keeps the cursor's row in place on the screen while a filter changes, as far as there are lines above it.
 * When the filter is removed, the view returns to the position before it.
 */
export class ScrollAnchor {
  readonly #view: LogView;
  readonly #entries: Entries<LogLine>;
  #anchor: Anchor | undefined;
  readonly stop: () => void;

  /** @param entries entries that pass the filter. */
  constructor(filter: Pick<LogFilter, 'state'>, view: LogView, entries: Entries<LogLine>) {
    this.#view = view;
    this.#entries = entries;
    this.stop = filter.state.subscribe(() => this.#restore());
  }

  /** Records the position of the cursor before the entries change. */
  capture(): void {
    const position = this.#view.position.getState();
    if (this.#anchor?.position === position) return;
    const top = this.#view.top();
    this.#anchor = undefined;
    if (position.kind === 'following' || top === undefined) return;
    const above = this.#entries.indexOf(position.cursor) - this.#entries.indexOf(top.seq);
    this.#anchor = { position, top, above: Math.max(0, above) };
  }

  #restore(): void {
    if (this.#anchor === undefined) return;
    const { position, top, above } = this.#anchor;
    if (this.#view.position.getState() !== position) {
      this.#anchor = undefined;
      return;
    }
    const entries = this.#entries;
    const cursor = Math.min(entries.indexOf(position.cursor), entries.length - 1);
    const first = entries.at(Math.max(0, cursor - above));
    if (first === undefined) return;
    this.#view.recordTop(first.seq === top.seq ? top : { seq: first.seq, skipped: 0 });
  }
}

import type { HostClock } from '../../clock.ts';

/**
 * Reasons to follow the output of a task, the most pressing first: it has ended, its follow has broken, it
 * is new, or its follow is silent, which tells nothing by itself.
 */
export const followNeeds = ['ended', 'broken', 'new', 'silent'] as const;

export type FollowNeed = (typeof followNeeds)[number];

/** Time between two follows that are opened, as each costs an engine a connection to a node. */
const spacingMs = 50;

/** Time between two silent follows that are opened again, of all tasks together. */
export const silentSpacingMs = 2000;

/**
 * Decides when the follows of a host may be opened, so that the engine's load doesn't grow with their number.
 * The most pressing need comes first, and within a need the one that waits longest.
 */
export class FollowQueue {
  readonly #clock: Pick<HostClock, 'monotonic' | 'schedule'>;
  readonly #waiting = new Map(followNeeds.map((need) => [need, new Set<() => void>()]));
  #nextAt = Number.NEGATIVE_INFINITY;
  #nextSilentAt = Number.NEGATIVE_INFINITY;
  #cancelTimer: () => void = () => undefined;

  constructor(clock: Pick<HostClock, 'monotonic' | 'schedule'>) {
    this.#clock = clock;
  }

  /** Calls `open` once when a follow may be opened; the returned function cancels that. */
  request(need: FollowNeed, open: () => void): () => void {
    // The same function may wait twice.
    const entry = () => {
      open();
    };
    const waiting = this.#waiting.get(need);
    waiting?.add(entry);
    this.#advance();
    return () => {
      waiting?.delete(entry);
    };
  }

  #advance(): void {
    for (;;) {
      this.#cancelTimer();
      const need = followNeeds.find((each) => this.#waiting.get(each)?.size);
      if (need === undefined) return;
      const now = this.#clock.monotonic();
      const at = need === 'silent' ? Math.max(this.#nextAt, this.#nextSilentAt) : this.#nextAt;
      if (at > now) {
        this.#cancelTimer = this.#clock.schedule(at - now, () => {
          this.#advance();
        });
        return;
      }
      this.#nextAt = now + spacingMs;
      if (need === 'silent') this.#nextSilentAt = now + silentSpacingMs;
      const waiting = this.#waiting.get(need);
      const [entry] = waiting ?? [];
      if (entry === undefined) return;
      waiting?.delete(entry);
      entry();
    }
  }
}

import type { StoreApi } from 'zustand/vanilla';
import { type Grant, grantState } from '../../contract/grants.ts';
import type { Clock } from '../time/clock.ts';
import type { GrantsSeen } from './notices.ts';
import type { ListingStore } from '../lists/listing.ts';
import type { Reach } from '../lists/reach.ts';
/** What money is spent of, and what another may revoke, is looked at this often, ms. */
const watchedEvery = 1500;
/** A long list costs its reader and its service more: ms later for each row, up to the most. */
const laterForRow = 0.35;
const latest = 5000;

/** Clocks are set, and timers hold no more than 24 days: the next change is computed again, ms. */
const longestWait = 60_000;

/**
 * Watches the grants: fetches them again soon while one may be spent from, and looks at them when
 * time ends one, by the clock of the service. `onLook` is told what was seen before and now; not at
 * the first look, when all is old. Gives a function that ends it.
 */
export function watchGrants(options: {
  readonly list: ListingStore<Grant>;
  readonly clock: Clock;
  readonly serviceNow: () => number;
  readonly reach: StoreApi<Reach>;
  readonly onLook: (before: GrantsSeen, now: GrantsSeen) => void;
}): () => void {
  const { list, clock, serviceNow, reach } = options;
  let seen: (GrantsSeen & { readonly until: number }) | undefined;
  let cancelChange = () => {};
  let cancelFetch = () => {};

  function look(): void {
    const { rows } = list.state.getState();
    const at = serviceNow();
    const before = seen;
    // Most answers are the one before, and no grant has ended since: nothing is to be found then.
    const isSame = before?.rows === rows && before.at <= at && at < before.until;
    const until = isSame ? before.until : nextExpiry({ rows, at });
    seen = { rows, at, until };
    cancelChange();
    if (until < Number.POSITIVE_INFINITY) {
      cancelChange = clock.after(Math.min(until - at, longestWait), timePassed);
    }
    if (before !== undefined && !isSame) options.onLook(before, seen);
  }

  function timePassed(): void {
    const due = seen?.until ?? Number.POSITIVE_INFINITY;
    look();
    // The rows are the same, what they say is not: whoever shows them is told.
    if (serviceNow() >= due) list.notify();
  }

  function fetchLater(): void {
    cancelFetch();
    const { rows } = list.state.getState();
    const now = serviceNow();
    if (!rows.some(({ value }) => grantState(value, now) === 'active')) return;
    const wait = Math.min(latest, watchedEvery + laterForRow * rows.length);
    cancelFetch = clock.after(wait, () => {
      const isLoading = list.state.getState().loadingSince !== undefined;
      if (reach.getState().kind === 'up' && !isLoading) void list.refresh();
    });
  }

  const unsubscribe = list.state.subscribe((now, before) => {
    const isAnswer = now.loadedAt !== before.loadedAt || now.rows !== before.rows;
    if (!isAnswer || now.loadedAt === undefined) return;
    look();
    fetchLater();
  });

  return () => {
    unsubscribe();
    cancelChange();
    cancelFetch();
  };
}

/** When time changes the next state, by the clock of the service; infinite where it changes none. */
function nextExpiry({ rows, at }: GrantsSeen): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { value } of rows) {
    const expires = Date.parse(value.expires_at);
    if (expires > at && expires < next && grantState(value, at) !== 'revoked') next = expires;
  }
  return next;
}

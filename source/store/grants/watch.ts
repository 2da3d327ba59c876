import type { StoreApi } from 'zustand/vanilla';
import { type Grant, deriveGrantState } from '../../contract/grants.ts';
import type { Clock } from '../time/clock.ts';
import { expiryTimes } from './grants.ts';
import type { GrantsSnapshot } from './notices.ts';
import type { ListingStore } from '../lists/listing.ts';
import type { Reach } from '../lists/reach.ts';

/** Milliseconds between two requests while a grant can be spent or revoked by others. */
const fetchInterval = 1500;
/** Additional milliseconds for each row of a long list, up to the longest interval. */
const delayPerRow = 0.35;
const maxInterval = 5000;

/** Longest timer, ms: clocks can be set, and timers are limited to 24 days. */
const maxTimerDelay = 60_000;

/** Rows from which a list is long. */
const longLength = 500;

/**
 * Watches the grants: refreshes the list while a grant is active, and checks it when a grant
 * expires by the clock of the service. `onLook` is called with the grants before and now, except at
 * the first check. Returns a function that stops it.
 */
export function watchGrants(options: {
  readonly list: ListingStore<Grant>;
  readonly clock: Clock;
  readonly serviceNow: () => number;
  readonly reach: StoreApi<Reach>;
  readonly onLook: (before: GrantsSnapshot, now: GrantsSnapshot) => void;
}): () => void {
  const { list, clock, serviceNow, reach } = options;
  let lastSeen: (GrantsSnapshot & { readonly until: number }) | undefined;
  let cancelLook = () => {};
  let cancelChange = () => {};
  let cancelFetch = () => {};

  function check(): void {
    const { rows } = list.state.getState();
    const at = serviceNow();
    const before = lastSeen;
    // Skip the comparison if the answer is unchanged and no grant has expired since.
    const isSame = before?.rows === rows && before.at <= at && at < before.until;
    const until = isSame ? before.until : nextExpiry({ rows, at });
    lastSeen = { rows, at, until };
    cancelChange();
    if (until < Number.POSITIVE_INFINITY) {
      cancelChange = clock.after(Math.min(until - at, maxTimerDelay), handleExpiry);
    }
    if (before !== undefined && !isSame) options.onLook(before, lastSeen);
  }

  function handleExpiry(): void {
    const expiry = lastSeen?.until ?? Number.POSITIVE_INFINITY;
    check();
    // The rows are the same but their states are not, so notify the subscribers.
    if (serviceNow() >= expiry) list.notify();
  }

  function scheduleFetch(): void {
    cancelFetch();
    const { rows } = list.state.getState();
    const now = serviceNow();
    if (!rows.some(({ value }) => deriveGrantState(value, now) === 'active')) return;
    const wait = Math.min(maxInterval, fetchInterval + delayPerRow * rows.length);
    cancelFetch = clock.after(wait, () => {
      const isLoading = list.state.getState().loadingSince !== undefined;
      if (reach.getState().kind === 'up' && !isLoading) void list.refresh();
    });
  }

  const unsubscribe = list.state.subscribe((now, before) => {
    const isAnswer = now.loadedAt !== before.loadedAt || now.rows !== before.rows;
    if (!isAnswer || now.loadedAt === undefined) return;
    cancelLook();
    // Comparing a long list takes as long as showing it: the frame comes first.
    if (now.rows.length >= longLength) cancelLook = clock.after(0, check);
    else check();
    scheduleFetch();
  });

  return () => {
    unsubscribe();
    cancelLook();
    cancelChange();
    cancelFetch();
  };
}

/** Returns the next expiry by the clock of the service; infinite if there is none. */
function nextExpiry({ rows, at }: GrantsSnapshot): number {
  let next = Number.POSITIVE_INFINITY;
  for (const [index, expires] of expiryTimes(rows).entries()) {
    const grant = rows[index]?.value;
    if (!(expires > at && expires < next) || grant === undefined) continue;
    if (deriveGrantState(grant, at) !== 'revoked') next = expires;
  }
  return next;
}

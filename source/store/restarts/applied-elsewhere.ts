import type { StoreApi } from 'zustand/vanilla';
import type { RestartsStore } from './restarts.ts';
import type { Restart } from './state.ts';

/** Milliseconds by which two programs on this machine may estimate the clock of the service differently. */
const clockError = 2000;

/** Restarts that nobody sends by itself from here. */
const waiting: ReadonlySet<Restart['kind']> = new Set(['unapplied', 'failed', 'unknown', 'owed']);

/**
 * Drops changes that a command of a shell on this machine has applied by a restart since. Looks at each new
 * list. Returns the function that stops it.
 *
 * @param serviceNow returns ms since the epoch by the clock of the service.
 * @param requestedTimes returns the times of accepted restarts from this machine by that clock.
 */
export function dropAppliedElsewhere(
  restarts: Pick<RestartsStore, 'state' | 'applied'>,
  listed: Pick<StoreApi<{ readonly loadedAt: number | undefined }>, 'subscribe'>,
  serviceNow: () => number,
  requestedTimes: (deployment: string) => readonly number[],
): () => void {
  /** Restarts by deployment, and the times since when they are so. */
  const seen = new Map<string, { readonly restart: Restart; readonly at: number }>();

  function look(): void {
    const now = restarts.state.getState();
    for (const id of seen.keys()) if (!now.has(id)) seen.delete(id);
    for (const [id, restart] of now) {
      if (seen.get(id)?.restart !== restart) seen.set(id, { restart, at: serviceNow() });
    }
  }

  function drop(): void {
    for (const [id, { restart, at }] of seen) {
      const isApplied =
        waiting.has(restart.kind) && requestedTimes(id).some((time) => time > at + clockError);
      if (isApplied) restarts.applied(id);
    }
  }

  look();
  const subscriptions = [
    restarts.state.subscribe(look),
    listed.subscribe(({ loadedAt }, before) => {
      if (loadedAt !== before.loadedAt) drop();
    }),
  ];
  return () => {
    for (const unsubscribe of subscriptions) unsubscribe();
  };
}

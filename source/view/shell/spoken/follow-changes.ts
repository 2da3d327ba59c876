import type { Deck } from '../../../store/deck/deck.ts';

/**
 * Calls `changed` after the stores of a deck have changed, once for all changes of a turn of the event
 * loop. Returns the function that stops it.
 */
export function followChanges(deck: Deck, changed: () => void): () => void {
  let cancel: (() => void) | undefined;
  const schedule = (): void => {
    cancel ??= deck.clock.after(0, () => {
      cancel = undefined;
      changed();
    });
  };
  const fixed = [
    deck.screen,
    deck.history.entries,
    deck.deployments.list.state,
    deck.deployments.details,
    deck.deployments.batch.state,
    deck.files.state,
    deck.grants.list.state,
    deck.grants.addressBook,
    deck.attention.state,
    deck.alerts.state,
    deck.restarts.state,
    deck.refresh.reach,
    deck.access.state,
    deck.drafts.state,
    deck.editor.state,
    deck.editor.difference.state,
    deck.textSearch.state,
    deck.opened,
  ].map((store) => store.subscribe(schedule));
  const stopFiles = deck.files.subscribe(schedule);
  let stopTail = followTail(deck, schedule);
  const stopOpened = deck.opened.subscribe(({ tail }, before) => {
    if (tail === before.tail) return;
    stopTail();
    stopTail = followTail(deck, schedule);
  });
  return () => {
    for (const stop of fixed) stop();
    stopFiles();
    stopTail();
    stopOpened();
    cancel?.();
  };
}

/** Follows the reader of the opened log; its lines are followed elsewhere. */
function followTail({ opened }: Pick<Deck, 'opened'>, changed: () => void): () => void {
  const { tail } = opened.getState();
  if (tail === undefined) return () => {};
  const stops = [
    tail.view.position.subscribe(changed),
    tail.filter.state.subscribe(changed),
    tail.search.state.subscribe(changed),
    tail.reading.seek.progress.subscribe(changed),
    tail.log.state.subscribe((now, before) => {
      if (now.connection !== before.connection || now.ready !== before.ready) changed();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

import type { Clock } from '../../store/time/clock.ts';
import type { Tail } from '../../store/deck/opened.ts';

/** Milliseconds between two counts on the screen. */
const countsEvery = 250;

/**
 * Calls `changed` when filter or search are others or say something new, and with counts now and
 * then: lines come faster than they are worth drawing.
 */
export function watchRows(
  { filter, search }: Pick<Tail, 'filter' | 'search'>,
  clock: Clock,
  changed: () => void,
): () => void {
  let cancel: (() => void) | undefined;
  const later = () => {
    cancel ??= clock.after(countsEvery, () => {
      cancel = undefined;
      changed();
    });
  };
  const ends = [
    filter.state.subscribe((now, before) => {
      const isSame =
        now.query === before.query &&
        now.services === before.services &&
        now.problem === before.problem &&
        now.done === before.done;
      if (isSame) later();
      else changed();
    }),
    search.state.subscribe((now, before) => {
      const isSame =
        now.query === before.query &&
        now.problem === before.problem &&
        now.at === before.at &&
        now.looking === before.looking &&
        now.missed === before.missed &&
        now.done === before.done;
      if (isSame) later();
      else changed();
    }),
  ];
  return () => {
    cancel?.();
    for (const end of ends) end();
  };
}

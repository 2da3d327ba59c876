import type { Clock } from '../../store/time/clock.ts';
import type { Tail } from '../../store/log/tail.ts';

/** Milliseconds between two updates of the counts. */
const countInterval = 250;

/**
 * Calls `changed` when the filter or search changes, and at intervals when only their counts do.
 * @returns a function that stops the calls.
 */
export function watchQueries(
  { filter, search }: Pick<Tail, 'filter' | 'search'>,
  clock: Clock,
  changed: () => void,
): () => void {
  let cancel: (() => void) | undefined;
  const later = () => {
    cancel ??= clock.after(countInterval, () => {
      cancel = undefined;
      changed();
    });
  };
  const ends = [
    filter.state.subscribe((now, before) => {
      const isSame =
        now.active === before.active &&
        now.services === before.services &&
        now.members === before.members &&
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

import type { RestartPlaces } from '../../store/log/restart-places.ts';
import { clockText } from '../../store/log/times.ts';
import type { Tail } from '../../store/deck/opened.ts';
import { type Line, span } from '../text/line.ts';

/**
 * Returns a function that maps an entry's `seq` to the notes of restarts below it.
 * @param words names of the tail's deployments, in their order.
 * @param utc whether times are in UTC.
 */
export function restartRowsOf(
  tail: Tail,
  places: RestartPlaces | undefined,
  words: readonly string[],
  utc: boolean,
): (seq: number) => readonly Line[] {
  const { deploymentIds, entries } = tail;
  const restarts = tail.restarts
    .getState()
    .filter((one) => deploymentIds.includes(one.deploymentId));
  if (places === undefined || restarts.length === 0) return () => [];
  const behind = places.behind(entries, restarts);
  return (seq) =>
    (behind.get(seq) ?? []).map(({ deploymentId, at }) => {
      const word = words[deploymentIds.indexOf(deploymentId)] ?? '';
      return [span(` -- ${word} restarted ${clockText(at, utc)} --`, 'quiet')];
    });
}

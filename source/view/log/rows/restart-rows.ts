import type { RestartPlaces } from '../../../store/log/restart-places.ts';
import { clockText } from '../../../store/log/times.ts';
import { type Line, span } from '../../text/line.ts';
import type { Tail } from '../../../store/log/tail.ts';

/**
 * Returns a function that maps an entry's `seq` to the notes of restarts below it.
 * @param names names of the tail's deployments, in their order.
 * @param utc whether times are in UTC.
 */
export function restartRowsOf(
  tail: Tail,
  places: RestartPlaces | undefined,
  names: readonly string[],
  utc: boolean,
): (seq: number) => readonly Line[] {
  const { deploymentIds, entries } = tail;
  const restarts = tail.restarts
    .getState()
    .filter((restart) => deploymentIds.includes(restart.deploymentId));
  if (places === undefined || restarts.length === 0) return () => [];
  const restartsBelow = places.behind(entries, restarts);
  return (seq) =>
    (restartsBelow.get(seq) ?? []).map(({ deploymentId, at }) => {
      const name = names[deploymentIds.indexOf(deploymentId)] ?? '';
      return [span(` -- ${name} restarted ${clockText(at, utc)} --`, 'quiet')];
    });
}

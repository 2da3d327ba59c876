import packageJson from '../../package.json' with { type: 'json' };
import type { IncidentMaker } from '../store/incident/incident.ts';
import type { LogMemory } from '../store/log/feed/log-source.ts';
import { lazyPart } from '../system/lazy-part.ts';
import { machineClock as clock } from './machine-clock.ts';
import type { Session } from './session.ts';

const collectorPart = lazyPart(() => import('../commands/incident/collect-incident.ts'));

/**
 * Returns the function that collects incidents for the console as the command does; its modules load on first use.
 * @param current returns the session that the console shows.
 */
export function createIncidentMaker(
  current: () => Session,
  state: string,
  logMemory: LogMemory | undefined,
): IncidentMaker {
  return async ({ signal, ...subject }) => {
    const { collectIncident } = await collectorPart();
    const { client, service, deck } = current();
    const { rows } = deck.deployments.list.state.getState();
    const listed = rows.find(({ value }) => value.id === subject.id)?.value;
    const { version } = packageJson;
    const context = { client, clock, signal, version, state, service, logMemory };
    return collectIncident(context, { ...subject, listed });
  };
}

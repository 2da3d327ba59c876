/** Collects incidents for the console, as the command does. */
import packageJson from '../../package.json' with { type: 'json' };
import type { Folders } from '../config/environment.ts';
import type { IncidentMaker } from '../store/incident/incident-maker.ts';
import type { LogMemory } from '../store/log/feed/log-source.ts';
import { machineClock } from './machine-clock.ts';
import type { Session } from './session.ts';
import { lazyPart } from '../system/lazy-part.ts';

const incidentBuilder = lazyPart(() => import('../commands/incident/build-incident.ts'));
const incidentFile = lazyPart(() => import('../disk/incident-file.ts'));

/**
 * Returns the maker of incidents; its modules load on first use.
 * @param current returns the session that the console shows.
 */
export function createIncidentMaker(
  current: () => Session,
  folders: Pick<Folders, 'state'>,
  logMemory: LogMemory = {},
): IncidentMaker {
  return {
    async collect({ deploymentId: id, since, until, history, marks, signal }) {
      const { buildIncident } = await incidentBuilder();
      const { client, service, deck } = current();
      const { rows } = deck.deployments.list.state.getState();
      const built = await buildIncident(
        {
          client,
          clock: machineClock,
          signal,
          version: packageJson.version,
          folders,
          service: { ...service, logMemory: { ok: true, value: logMemory } },
        },
        {
          id,
          listed: rows.find(({ value }) => value.id === id)?.value,
          since,
          until,
          seen: { history, marks },
        },
      );
      if (built.ok) return built;
      const { sentence, next } = built.problem ?? { sentence: 'Cancelled.', next: '' };
      return { ok: false, sentence: `${sentence} ${next}`.trim() };
    },
    async pack(incident) {
      const { packIncident } = await incidentFile();
      return packIncident(incident);
    },
  };
}

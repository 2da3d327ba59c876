/** Collects incidents for the console, as the command does. */
import packageJson from '../../package.json' with { type: 'json' };
import type { IncidentMaker } from '../store/incident/incident.ts';
import type { LogMemory } from '../store/log/feed/log-source.ts';
import { lazyPart } from '../system/lazy-part.ts';
import { machineClock } from './machine-clock.ts';
import type { Session } from './session.ts';

const collectorPart = lazyPart(() => import('../commands/incident/collect-incident.ts'));
const filePart = lazyPart(() => import('../disk/incident-file.ts'));

/**
 * Returns the maker of incidents; its modules load on first use.
 * @param current returns the session that the console shows.
 */
export function createIncidentMaker(
  current: () => Session,
  state: string,
  logMemory: LogMemory | undefined,
): IncidentMaker {
  return async ({ signal, ...subject }) => {
    const [{ collectIncident }, { packIncident }] = [await collectorPart(), await filePart()];
    const { client, service, deck } = current();
    const { rows } = deck.deployments.list.state.getState();
    const listed = rows.find(({ value }) => value.id === subject.id)?.value;
    const { version } = packageJson;
    const collected = await collectIncident(
      { client, clock: machineClock, signal, version, state, service, logMemory },
      { ...subject, listed },
    );
    if (collected.ok) {
      const { incident } = collected;
      return { ok: true, incident, bytes: await packIncident(incident) };
    }
    const { sentence, next } = collected.problem ?? { sentence: 'Cancelled.', next: '' };
    return { ok: false, sentence: `${sentence} ${next}`.trim() };
  };
}

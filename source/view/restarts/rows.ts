import type { Deck } from '../../store/deck/deck.ts';
import type { ChangedFile } from '../../store/restarts/journal.ts';
import { fileCountText, secondsLeft } from '../../store/restarts/sentences.ts';
import { type Restart, unappliedChanges } from '../../store/restarts/state.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';
import { column } from '../text/fit.ts';
import { type Line, span } from '../text/line.ts';
import { pendingToken } from './text.ts';

/** A restart in the box; without a state where nothing waits any more, or nothing did. */
export interface PendingRestartRow {
  readonly id: string;
  readonly label: string;
  readonly restart: Restart | undefined;
}

/** All that is pending, and the chosen one, which a box keeps whatever becomes of it. */
export function pendingRestartRows(
  deck: Pick<Deck, 'deployments' | 'restarts'>,
  chosen: string,
): readonly PendingRestartRow[] {
  const restarts = deck.restarts.state.getState();
  const ids = restarts.has(chosen) ? [...restarts.keys()] : [chosen, ...restarts.keys()];
  return ids.map((id) => ({ id, label: deck.deployments.label(id), restart: restarts.get(id) }));
}

/** Names are cut from so many cells on, so that what is pending is still seen. */
const widestName = 20;

/** One row for each: `> shop        4s left      web config/app.yaml nginx.conf`. */
export function restartRows(
  pending: readonly PendingRestartRow[],
  chosen: string | undefined,
): readonly Line[] {
  const longest = Math.max(10, ...pending.map(({ label }) => label.length));
  const name = Math.min(longest, widestName) + 2;
  return pending.map(({ id, label, restart }) => [
    span(`${id === chosen ? '>' : ' '} ${column(label, name)}`),
    span(column(stateText(restart), 13), restart === undefined ? 'quiet' : pendingToken(restart)),
    span(factsText(restart)),
  ]);
}

function stateText(restart: Restart | undefined): string {
  switch (restart?.kind) {
    case 'counting':
      return restart.left === 0 ? 'waits' : `${secondsLeft(restart.left)} left`;
    case 'owed':
      return 'not applied';
    case undefined:
      return 'unchanged';
    case 'restarting':
    case 'failed':
    case 'unknown':
    case 'not applied':
      return restart.kind;
  }
}

function factsText(restart: Restart | undefined): string {
  if (restart === undefined) return '';
  const { files = [] } = unappliedChanges(restart) ?? {};
  const count = files.length === 0 ? [] : [fileCountText(files.length)];
  switch (restart.kind) {
    case 'counting':
      return fileNames(files);
    case 'restarting':
      return [`sent at ${shortTime(restart.since)}`, ...count].join(', ');
    case 'failed':
    case 'unknown': {
      const { status, code } = restart.error;
      return [`${status ?? code} at ${shortTime(restart.at)}`, ...count].join(', ');
    }
    case 'owed':
      return [...count, `since ${shortTime(restart.changes.since)}`].join(', ');
    case 'not applied':
      return count.join(', ');
  }
}

/** Files by their services: `web config/app.yaml nginx.conf`. */
function fileNames(files: readonly ChangedFile[]): string {
  const services = [...new Set(files.map(({ service }) => service))];
  return services
    .map((service) => {
      const paths = files.filter((file) => file.service === service).map(({ path }) => path);
      return [service, ...paths].join(' ');
    })
    .join(', ');
}

/** Time of day in minutes: `11:58`. */
function shortTime(at: number): string {
  return formatTimeOfDay(at).slice(0, 5);
}

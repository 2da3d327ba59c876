import type { Console } from '../store/console.ts';
import { type Deployment, deploymentLabel, shortId } from '../store/deployments.ts';
import type { Listing } from '../store/listing.ts';
import type { Pane } from '../store/screen.ts';
import { formatTimeOfDay } from './age.ts';
import { formatCount } from './amount.ts';
import type { Token } from './theme.ts';

/** The deployment with this id as the list has it. */
function listedDeployment(console: Console, id: string | undefined): Deployment | undefined {
  return console.deployments.list.state.getState().rows.find((row) => row.value.id === id)?.value;
}

/** What people call the opened deployment; empty when none is open. */
export function openedText(console: Console): string {
  const { id } = console.opened.getState();
  if (id === undefined) return '';
  const deployment = listedDeployment(console, id);
  return deployment === undefined ? shortId(id) : deploymentLabel(deployment);
}

/** `shop/web`: the service whose files are listed. */
export function filesPlaceText(console: Console): string {
  const { place } = console.files.state.getState();
  return place === undefined ? '' : `${openedText(console)}/${place.service}`;
}

/** Title of a pane without its frame: digit, name, subject and counts. */
export function paneTitle(console: Console, pane: Pane, long: boolean): string {
  const { filters } = console.screen.getState();
  switch (pane) {
    case 'deployments':
      return listTitle(
        console,
        '1 Deployments',
        console.deployments.list.state.getState(),
        filters.deployments,
      );
    case 'files': {
      const place = filesPlaceText(console);
      return listTitle(
        console,
        place === '' ? '2 Files' : `2 Files ${place}`,
        console.files.list.state.getState(),
        filters.files,
      );
    }
    case 'grants':
      return listTitle(console, '3 Grants', console.grants.list.state.getState(), filters.grants);
    case 'main':
      return `4 ${mainTitle(console, long)}`;
  }
}

function listTitle<T>(console: Console, name: string, listing: Listing<T>, filter: string): string {
  if (listing.loadedAt === undefined) return name;
  const count = formatCount(listing.rows.length);
  const stale = console.refresh.reach.getState().kind === 'away';
  const asOf = stale ? `, as of ${formatTimeOfDay(listing.loadedAt)}` : '';
  return `${name} ${count}${asOf}${filter === '' ? '' : ` /${filter}`}`;
}

/** How the log is read: `following`, or `FROZEN +1,204 new`. */
function logText(console: Console): string {
  const { tail } = console.opened.getState();
  const position = tail?.view.position.getState();
  if (tail === undefined || position?.kind !== 'frozen') return 'all services, following';
  const fresh = tail.log.state.getState().received - position.received;
  return fresh > 0 ? `FROZEN +${formatCount(fresh)} new` : 'FROZEN';
}

/** The state of the log's connection, for row 1. */
export function logStatus(
  console: Console,
  now: number,
): { readonly text: string; readonly token?: Token } | undefined {
  const log = console.opened.getState().tail?.log;
  if (log === undefined) return undefined;
  const { connection, rate } = log.state.getState();
  switch (connection.kind) {
    case 'connecting':
      return { text: 'log connecting', token: 'busy' };
    case 'live':
      return { text: `live ${formatCount(rate)}/s`, token: 'good' };
    case 'polling':
      return { text: 'log polled', token: 'busy' };
    case 'retrying': {
      const wait = Math.max(0, Math.ceil((connection.at - now) / 1000));
      return { text: `log lost, retry ${wait}s`, token: 'bad' };
    }
    case 'stopped':
      return { text: 'log stopped', token: 'bad' };
    default:
      return connection satisfies never;
  }
}

/** The restarts under way or failed, for row 1. */
export function restartTexts(console: Console): readonly string[] {
  return [...console.restarts.state.getState()].map(([id, restart]) => {
    const deployment = listedDeployment(console, id);
    const name = deployment === undefined ? shortId(id) : deploymentLabel(deployment);
    return restart.kind === 'restarting' ? `restarting ${name}` : `restart ${name} ${restart.kind}`;
  });
}

/** What pane 4 shows, for its title. */
export function mainTitle(console: Console, long: boolean): string {
  const { main } = console.screen.getState();
  switch (main.kind) {
    case 'logs': {
      const name = openedText(console);
      if (name === '') return 'Logs';
      return long ? `Logs ${name}: ${logText(console)}` : `Logs ${name}`;
    }
    case 'file':
      return `View ${console.files.state.getState().opened?.path ?? ''}`;
    case 'deployment': {
      const deployment = listedDeployment(console, main.id);
      return `Details ${deployment === undefined ? shortId(main.id) : deploymentLabel(deployment)}`;
    }
    case 'grant':
      return 'Details grant';
    case 'answer':
      return 'Answer as it came';
  }
}

/**
 * Names of the opened deployment's services: as the service tells them, else those whose lines were
 * seen in the log (open points, "Deployment fields").
 */
export function servicesOf(console: Console): readonly string[] {
  const { id, tail } = console.opened.getState();
  const told = listedDeployment(console, id)?.services.map((service) => service.name) ?? [];
  if (told.length > 0 || tail === undefined) return told;
  return [...tail.log.services()];
}

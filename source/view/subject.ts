import type { Console } from '../store/console.ts';
import { type Deployment, deploymentLabel, shortId } from '../store/deployments.ts';
import { isNewDeployment, nameIn } from '../store/kept.ts';
import { rowWithId } from '../store/row-with-id.ts';
import type { Pane, Screen } from '../store/screen.ts';
import { formatCount } from './amount.ts';
import { listTitle } from './list-title.ts';
import { statusText } from './restart-text.ts';
import type { Token } from './theme.ts';

/** The deployment with this id as the list has it. */
function listedDeployment(console: Console, id: string | undefined): Deployment | undefined {
  return rowWithId(console.deployments.list.state.getState().rows, id)?.value;
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

/**
 * Title of a pane without its frame: digit, name, subject and counts. That of a list is shortened
 * to `room` cells, where that is given.
 */
export function paneTitle(console: Console, pane: Pane, long: boolean, room?: number): string {
  const place = filesPlaceText(console);
  switch (pane) {
    case 'deployments':
      return listTitle(console, pane, ['1 Deployments'], room);
    case 'files':
      return listTitle(console, pane, ['2 Files', ...(place === '' ? [] : [place])], room);
    case 'grants':
      return listTitle(console, pane, ['3 Grants'], room);
    case 'main':
      return `4 ${mainTitle(console, long)}`;
  }
}

/** How the log is read: following, or at what; never `following` where nothing comes. */
function logText(console: Console): string {
  const { tail } = console.opened.getState();
  if (tail === undefined) return 'none';
  const frozen = frozenText(console);
  if (frozen !== undefined) return frozen;
  const { kind } = tail.log.state.getState().connection;
  return `all services, ${kind === 'live' || kind === 'polling' ? 'following' : kind}`;
}

/** `FROZEN +1,204 new`; undefined while the log is followed. */
export function frozenText(console: Console): string | undefined {
  const { tail } = console.opened.getState();
  const position = tail?.view.position.getState();
  if (tail === undefined || position?.kind !== 'frozen') return undefined;
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

/**
 * The restarts that count, are under way or failed, for row 1. The editor is where `r` types: there
 * the key that opens the box stands with them.
 */
export function restartTexts(console: Console): readonly string[] {
  const texts = [...console.restarts.state.getState()]
    .map(([id, restart]) => statusText(console.label(id), restart))
    .filter((text) => text !== undefined);
  const last = texts.at(-1);
  const edits = console.screen.getState().main.kind === 'editor';
  return edits && last !== undefined ? [...texts.slice(0, -1), `${last}, ^R`] : texts;
}

/** What row 1 names instead of host and wallet: where the editor is, what fills the screen. */
export function rowSubject(console: Console, { main, fullscreen }: Screen): string | undefined {
  if (main.kind === 'editor') {
    const place = console.editor.state.getState().file?.place;
    return place === undefined
      ? undefined
      : `${console.label(place.deploymentId)}/${place.service}`;
  }
  return fullscreen ? mainTitle(console, true) : undefined;
}

/** Title of the log where it stands below the editor. */
export function logTitle(console: Console): string {
  return `Logs ${openedText(console)}`;
}

/** What pane 4 shows, for its title. */
function mainTitle(console: Console, long: boolean): string {
  const { main } = console.screen.getState();
  switch (main.kind) {
    case 'logs': {
      const name = openedText(console);
      if (name === '') return 'Logs';
      return long ? `Logs ${name}: ${logText(console)}` : `Logs ${name}`;
    }
    case 'file':
      return `View ${console.files.state.getState().opened?.path ?? ''}`;
    case 'editor':
      return `Edit ${console.editor.state.getState().document?.title ?? ''}`;
    case 'diff': {
      const { shown } = console.difference.state.getState();
      return shown === undefined
        ? 'Diff'
        : isNewDeployment(shown.place)
          ? 'Diff new deployment'
          : `Diff ${nameIn(shown.place.path)}: draft against service`;
    }
    case 'deployment': {
      const deployment = listedDeployment(console, main.id);
      return `Details ${deployment === undefined ? shortId(main.id) : deploymentLabel(deployment)}`;
    }
    case 'history':
      return 'History';
    case 'grant':
      return 'Details grant';
    case 'line':
      return 'Details line';
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

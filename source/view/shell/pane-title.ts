import type { Console } from '../../store/deck/deck.ts';
import { type Deployment, deploymentLabel, shortId } from '../../store/deployments/deployments.ts';
import { isNewDeployment, nameIn } from '../../store/drafts/places.ts';
import { isUtc, momentText } from '../../store/log/times.ts';
import { rowWithId } from '../../store/lists/row-with-id.ts';
import type { Pane, Screen } from '../../store/deck/screen.ts';
import { formatCount } from '../text/amount.ts';
import { listTitle } from '../parts/list-title.ts';
import { shortShownText, shownText } from '../log/shown-lines.ts';
import { joinedText } from '../log/members.ts';
import { statusText } from '../restarts/text.ts';
import { rateBars } from '../log/rate-bars.ts';
import type { LogStatus } from '../text/status-line.ts';

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

/** The deployments whose log is shown: `shop + shop-2`, of more the first ones and how many. */
export function tailText(console: Console, long: boolean): string {
  const ids = console.opened.getState().tail?.deploymentIds ?? [];
  if (ids.length < 2) return openedText(console);
  return joinedText(
    ids.map((id) => console.label(id)),
    long ? 3 : 2,
  );
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
function shownLogText(console: Console): string {
  const { tail } = console.opened.getState();
  if (tail === undefined) return 'none';
  const shown = shownText(tail, console.screen.getState());
  const frozen = frozenText(console);
  if (frozen !== undefined) return `${shown}  ${frozen}`;
  const { kind } = tail.log.state.getState().connection;
  return `${shown}, ${kind === 'live' || kind === 'polling' ? 'following' : kind}`;
}

/** `FROZEN +1,204 new`; undefined while the log is followed. */
export function frozenText(console: Console): string | undefined {
  const { tail } = console.opened.getState();
  const position = tail?.view.position.getState();
  if (tail === undefined || position?.kind !== 'frozen') return undefined;
  const fresh = tail.log.state.getState().received - position.received;
  return fresh > 0 ? `FROZEN +${formatCount(fresh)} new` : 'FROZEN';
}

/** Milliseconds without a line from which it is said since when: a length would change by itself. */
const quietFrom = 60_000;

/** The state of the log's connection, for row 1; `bars` are the characters that draw its rate. */
export function logStatus(console: Console, now: number, bars: string): LogStatus | undefined {
  const { tail } = console.opened.getState();
  if (tail === undefined) return undefined;
  const { connection, rate } = tail.log.state.getState();
  const worst = tail.joined?.worst();
  const log = worst === undefined ? 'log' : `log ${console.label(worst.deploymentId)}`;
  switch (connection.kind) {
    case 'connecting':
      return connection.error === undefined
        ? { text: `${log} connecting`, token: 'busy' }
        : { text: `${log} lost, trying`, token: 'bad' };
    case 'live': {
      const newest = rate > 0 ? now : (tail.reading.rates.newest() ?? now);
      const utc = isUtc(console.screen.getState().times);
      const since = now - newest < quietFrom ? '' : ` since ${momentText(newest, now, utc)}`;
      const drawn = rateBars(tail.reading.rates.bars(), bars);
      return { text: `live ${formatCount(rate)}/s${since}`, token: 'good', bars: drawn };
    }
    case 'polling':
      return { text: `no stream, ${log} polled`, token: 'busy' };
    case 'retrying': {
      const wait = Math.max(0, Math.ceil((connection.at - now) / 1000));
      return {
        text: wait === 0 ? `${log} lost, trying` : `${log} lost, retry ${wait}s`,
        token: 'bad',
      };
    }
    case 'stopped':
      return { text: `${log} stopped`, token: 'bad' };
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
  // Where nothing but the log is seen, its name says enough.
  return fullscreen ? mainTitle(console, true).replace(/^Logs (?=.)/, '') : undefined;
}

/** Title of the log where it stands below the editor. */
export function logTitle(console: Console): string {
  return `Logs ${tailText(console, false)}`;
}

/** What pane 4 shows, for its title. */
function mainTitle(console: Console, long: boolean): string {
  const { main } = console.screen.getState();
  switch (main.kind) {
    case 'logs': {
      const name = tailText(console, long);
      if (name === '') return 'Logs';
      if (long) return `Logs ${name}: ${shownLogText(console)}`;
      // How much is new has no room there, and changes with every line.
      return `Logs ${name}${shortShownText(console)}${frozenText(console) === undefined ? '' : ' FROZEN'}`;
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
      return `Details ${main.entry.kind}`;
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
  const own = tail.joined?.members.find(({ deploymentId }) => deploymentId === id) ?? tail.log;
  return [...own.services()];
}

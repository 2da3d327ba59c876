import type { Deck } from '../../store/deck/deck.ts';
import { type Deployment, deploymentLabel, shortId } from '../../store/deployments/deployments.ts';
import { isNewDeployment, nameIn } from '../../store/drafts/places.ts';
import { isUtc, momentText } from '../../store/log/times.ts';
import { rowWithId } from '../../store/lists/row-with-id.ts';
import type { Pane } from '../../store/deck/screen/focus.ts';
import type { Screen } from '../../store/deck/screen/screen.ts';
import { formatCount } from '../text/amount.ts';
import { listTitle } from '../parts/list-title.ts';
import { shortShownText, shownLinesText } from '../log/shown-lines.ts';
import { joinedText } from '../log/members.ts';
import { statusText } from '../restarts/text.ts';
import { rateBars } from '../log/rate-bars.ts';
import type { LogStatus } from '../text/status-line.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'screen' | 'deployments' | 'opened' | 'files' | 'editor'>;

/** The deployment with this id as the list has it. */
function listedDeployment(
  deck: Pick<Deck, 'deployments'>,
  id: string | undefined,
): Deployment | undefined {
  return rowWithId(deck.deployments.list.state.getState().rows, id)?.value;
}

/** What people call the opened deployment; empty when none is open. */
export function openedText(deck: Pick<Deck, 'deployments' | 'opened'>): string {
  const { id } = deck.opened.getState();
  if (id === undefined) return '';
  const deployment = listedDeployment(deck, id);
  return deployment === undefined ? shortId(id) : deploymentLabel(deployment);
}

/** The deployments whose log is shown: `shop + shop-2`, of more the first ones and how many. */
export function tailText(deck: Pick<Deck, 'deployments' | 'opened'>, long: boolean): string {
  const ids = deck.opened.getState().tail?.deploymentIds ?? [];
  if (ids.length < 2) return openedText(deck);
  return joinedText(
    ids.map((id) => deck.deployments.label(id)),
    long ? 3 : 2,
  );
}

/** `shop/web`: the service whose files are listed. */
export function filesPlaceText(deck: Pick<Deck, 'deployments' | 'opened' | 'files'>): string {
  const { place } = deck.files.state.getState();
  return place === undefined ? '' : `${openedText(deck)}/${place.service}`;
}

/**
 * Title of a pane without its frame: digit, name, subject and counts. That of a list is shortened
 * to `room` cells, where that is given.
 */
export function paneTitle(
  deck: Pick<
    Deck,
    'clock' | 'screen' | 'deployments' | 'opened' | 'files' | 'grants' | 'editor' | 'refresh'
  >,
  pane: Pane,
  long: boolean,
  room?: number,
): string {
  const place = filesPlaceText(deck);
  switch (pane) {
    case 'deployments':
      return listTitle(deck, pane, ['1 Deployments'], room);
    case 'files':
      return listTitle(deck, pane, ['2 Files', ...(place === '' ? [] : [place])], room);
    case 'grants':
      return listTitle(deck, pane, ['3 Grants'], room);
    case 'main':
      return `4 ${mainTitle(deck, long)}`;
  }
}

/** How the log is read: following, or at what; never `following` where nothing comes. */
function shownLogText(deck: Pick<Deck, 'screen' | 'opened'>): string {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return 'none';
  const shown = shownLinesText(tail, deck.screen.getState());
  const frozen = frozenText(deck);
  if (frozen !== undefined) return `${shown}  ${frozen}`;
  const { kind } = tail.log.state.getState().connection;
  return `${shown}, ${kind === 'live' || kind === 'polling' ? 'following' : kind}`;
}

/** `FROZEN +1,204 new`; undefined while the log is followed. */
export function frozenText(deck: Pick<Deck, 'opened'>): string | undefined {
  const { tail } = deck.opened.getState();
  const position = tail?.view.position.getState();
  if (tail === undefined || position?.kind !== 'frozen') return undefined;
  const fresh = tail.log.state.getState().received - position.received;
  return fresh > 0 ? `FROZEN +${formatCount(fresh)} new` : 'FROZEN';
}

/** Milliseconds without a line from which it is said since when: a length would change by itself. */
const quietFrom = 60_000;

/** The state of the log's connection, for row 1; `bars` are the characters that draw its rate. */
export function logStatus(
  deck: Pick<Deck, 'screen' | 'deployments' | 'opened'>,
  now: number,
  bars: string,
): LogStatus | undefined {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return undefined;
  const { connection, rate } = tail.log.state.getState();
  const worst = tail.joined?.worst();
  const log = worst === undefined ? 'log' : `log ${deck.deployments.label(worst.deploymentId)}`;
  switch (connection.kind) {
    case 'connecting':
      return connection.error === undefined
        ? { text: `${log} connecting`, token: 'busy' }
        : { text: `${log} lost, trying`, token: 'bad' };
    case 'live': {
      const newest = rate > 0 ? now : (tail.reading.rates.newest() ?? now);
      const utc = isUtc(deck.screen.getState().times);
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
export function restartTexts(
  deck: Pick<Deck, 'screen' | 'deployments' | 'restarts'>,
): readonly string[] {
  const texts = [...deck.restarts.state.getState()]
    .map(([id, restart]) => statusText(deck.deployments.label(id), restart))
    .filter((text) => text !== undefined);
  const last = texts.at(-1);
  const edits = deck.screen.getState().main.kind === 'editor';
  return edits && last !== undefined ? [...texts.slice(0, -1), `${last}, ^R`] : texts;
}

/** What row 1 names instead of host and wallet: where the editor is, what fills the screen. */
export function rowSubject(deck: Handles, { main, fullscreen }: Screen): string | undefined {
  if (main.kind === 'editor') {
    const place = deck.editor.state.getState().file?.place;
    return place === undefined
      ? undefined
      : `${deck.deployments.label(place.deploymentId)}/${place.service}`;
  }
  // Where nothing but the log is seen, its name says enough.
  return fullscreen ? mainTitle(deck, true).replace(/^Logs (?=.)/, '') : undefined;
}

/** Title of the log where it stands below the editor. */
export function logTitle(deck: Pick<Deck, 'deployments' | 'opened'>): string {
  return `Logs ${tailText(deck, false)}`;
}

/** What pane 4 shows, for its title. */
function mainTitle(deck: Handles, long: boolean): string {
  const { main } = deck.screen.getState();
  switch (main.kind) {
    case 'logs': {
      const name = tailText(deck, long);
      if (name === '') return 'Logs';
      if (long) return `Logs ${name}: ${shownLogText(deck)}`;
      // How much is new has no room there, and changes with every line.
      return `Logs ${name}${shortShownText(deck)}${frozenText(deck) === undefined ? '' : ' FROZEN'}`;
    }
    case 'file':
      return `View ${deck.files.state.getState().opened?.path ?? ''}`;
    case 'editor':
      return `Edit ${deck.editor.state.getState().document?.title ?? ''}`;
    case 'diff': {
      const { shown } = deck.editor.difference.state.getState();
      return shown === undefined
        ? 'Diff'
        : isNewDeployment(shown.place)
          ? 'Diff new deployment'
          : `Diff ${nameIn(shown.place.path)}: draft against service`;
    }
    case 'deployment': {
      const deployment = listedDeployment(deck, main.id);
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
export function servicesOf(deck: Pick<Deck, 'deployments' | 'opened'>): readonly string[] {
  const { id, tail } = deck.opened.getState();
  const told = listedDeployment(deck, id)?.services.map((service) => service.name) ?? [];
  if (told.length > 0 || tail === undefined) return told;
  const own = tail.joined?.members.find(({ deploymentId }) => deploymentId === id) ?? tail.log;
  return [...own.services()];
}

import type { Deck } from '../../store/deck/deck.ts';
import { deploymentLabel, shortId } from '../../store/deployments/deployments.ts';
import { isUtcFormat, momentText } from '../../store/log/times.ts';
import { listedDeployment } from '../command/row-under-cursor.ts';
import { formatCount } from '../text/amount.ts';
import type { LogStatus } from '../text/status-line.ts';
import { joinedText } from './members.ts';
import { rateBars } from './rate-bars.ts';
import { shortShownText, shownLinesText } from './shown-lines.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'screen' | 'deployments' | 'opened'>;

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

/** The title of pane 4 while it shows the log. */
export function logPaneTitle(deck: Handles, long: boolean): string {
  const name = tailText(deck, long);
  if (name === '') return 'Logs';
  if (long) return `Logs ${name}: ${shownLogText(deck)}`;
  // How much is new has no room there, and changes with every line.
  return `Logs ${name}${shortShownText(deck)}${frozenText(deck) === undefined ? '' : ' FROZEN'}`;
}

/** Title of the log where it stands below the editor. */
export function logTitle(deck: Pick<Deck, 'deployments' | 'opened'>): string {
  return `Logs ${tailText(deck, false)}`;
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
export function logStatus(deck: Handles, now: number, bars: string): LogStatus | undefined {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return undefined;
  const { connection, rate } = tail.log.state.getState();
  const worst = tail.joined?.worstMember();
  const log = worst === undefined ? 'log' : `log ${deck.deployments.label(worst.deploymentId)}`;
  switch (connection.kind) {
    case 'connecting':
      return connection.error === undefined
        ? { text: `${log} connecting`, token: 'busy' }
        : { text: `${log} lost, trying`, token: 'bad' };
    case 'live': {
      const newest = rate > 0 ? now : (tail.reading.rates.newestAt() ?? now);
      const utc = isUtcFormat(deck.screen.getState().times);
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

/** Whether the log that is open stands still. */
export function isFrozen({ opened }: Pick<Deck, 'opened'>): boolean {
  return opened.getState().tail?.view.position.getState().kind === 'frozen';
}

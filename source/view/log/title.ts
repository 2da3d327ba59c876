/** Titles and status of the log: its deployments, shown lines, reader state and connection. */
import type { Deck } from '../../store/deck/deck.ts';
import { deploymentLabel, shortId } from '../../store/deployments/deployments.ts';
import { isUtcFormat, momentText } from '../../store/log/times.ts';
import { listedDeployment } from '../command/row-under-cursor.ts';
import type { Screen } from '../../store/deck/screen/screen.ts';
import { truncateCells } from '../../terminal/screen/cells.ts';
import { formatCount } from '../text/amount.ts';
import type { LogStatus } from '../text/status-line.ts';
import { joinNames } from './members.ts';
import { rateBars } from './rate-bars.ts';
import { queryText } from './state-line.ts';
import type { Tail } from '../../store/log/tail.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'screen' | 'deployments' | 'opened'>;

/** Returns the display name of the opened deployment; empty when none is open. */
export function openedText(deck: Pick<Deck, 'deployments' | 'opened'>): string {
  const { id } = deck.opened.getState();
  if (id === undefined) return '';
  const deployment = listedDeployment(deck, id);
  return deployment === undefined ? shortId(id) : deploymentLabel(deployment);
}

/** Returns the deployments of the log as `shop + shop-2`, or the first names and a count. */
export function tailText(deck: Pick<Deck, 'deployments' | 'opened'>, long: boolean): string {
  const ids = deck.opened.getState().tail?.deploymentIds ?? [];
  if (ids.length < 2) return openedText(deck);
  return joinNames(
    ids.map((id) => deck.deployments.label(id)),
    long ? 3 : 2,
  );
}

/** Returns the title of pane 4 while it shows the log. */
export function logPaneTitle(deck: Handles, long: boolean): string {
  const name = tailText(deck, long);
  if (name === '') return 'Logs';
  if (long) return `Logs ${name}: ${shownLogText(deck)}`;
  // The number of new lines would redraw the title with every line.
  return `Logs ${name}${shortShownLinesText(deck)}${frozenText(deck) === undefined ? '' : ' PAUSED'}`;
}

/** Returns the title of the log below the editor. */
export function logTitle(deck: Pick<Deck, 'deployments' | 'opened'>): string {
  return `Logs ${tailText(deck, false)}`;
}

/** Returns the shown lines and the reader state; `following` only while lines can arrive. */
function shownLogText(deck: Pick<Deck, 'screen' | 'opened'>): string {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return 'none';
  const shown = shownLinesText(tail, deck.screen.getState());
  const frozen = frozenText(deck);
  if (frozen !== undefined) return `${shown}  ${frozen}`;
  const { kind } = tail.log.state.getState().connection;
  return `${shown}, ${kind === 'live' || kind === 'polling' ? 'following' : kind}`;
}

/** Most services named in a title. */
const maxNames = 3;
const maxFilterWidth = 20;

/** Returns the services and filter of the log for its title, as `web api &timeout`. */
function shownLinesText(tail: Tail, screen: Screen): string {
  const { services } = tail.filter.state.getState();
  return `${services === undefined ? 'all services' : namesText(services)}${filterText(tail, screen)}`;
}

/** Returns a short form for narrow titles; empty when all lines are shown. */
function shortShownLinesText(deck: Pick<Deck, 'screen' | 'opened'>): string {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return '';
  const { services } = tail.filter.state.getState();
  const names = services === undefined ? '' : `: ${namesText(services)}`;
  return `${names}${filterText(tail, deck.screen.getState())}`;
}

function namesText(services: ReadonlySet<string>): string {
  const names = [...services];
  const more = names.length - maxNames;
  return [...names.slice(0, maxNames), ...(more > 0 ? [`+${more}`] : [])].join(' ');
}

/** Returns the filter; empty while the log is focused, because the row above the keys shows it. */
function filterText(tail: Tail, { focus, main }: Screen): string {
  const { query } = tail.filter.state.getState();
  if (query === undefined || (focus === 'main' && main.kind === 'logs')) return '';
  return ` ${truncateCells(queryText('filter', query), maxFilterWidth)}`;
}

/** Returns `PAUSED +1,204`, or undefined while following. */
export function frozenText(deck: Pick<Deck, 'opened'>): string | undefined {
  const { tail } = deck.opened.getState();
  const position = tail?.view.position.getState();
  if (tail === undefined || position?.kind !== 'frozen') return undefined;
  const newLines = tail.log.state.getState().received - position.received;
  return newLines > 0 ? `PAUSED +${formatCount(newLines)}` : 'PAUSED';
}

/** Milliseconds without a line before the status shows the time of the last one. */
const quietAfter = 60_000;

/** Returns the connection state of the log for row 1. @param bars characters for the rate. */
export function logStatus(deck: Handles, now: number, bars: string): LogStatus | undefined {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return undefined;
  const { connection, rate } = tail.log.state.getState();
  const unhealthy = tail.joined?.worstMember();
  const log =
    unhealthy === undefined ? 'log' : `log ${deck.deployments.label(unhealthy.deploymentId)}`;
  switch (connection.kind) {
    case 'connecting':
      return connection.error === undefined
        ? { text: `${log} connecting`, token: 'busy' }
        : { text: `${log} reconnecting`, token: 'bad' };
    case 'live': {
      const newest = rate > 0 ? now : (tail.reading.rates.newestAt() ?? now);
      const utc = isUtcFormat(deck.screen.getState().times);
      const since = now - newest < quietAfter ? '' : ` since ${momentText(newest, now, utc)}`;
      const drawn = rateBars(tail.reading.rates.bars(), bars);
      return { text: `live ${formatCount(rate)}/s${since}`, token: 'good', bars: drawn };
    }
    case 'polling':
      return { text: `no stream, polling ${log}`, token: 'busy' };
    case 'retrying': {
      const wait = Math.max(0, Math.ceil((connection.at - now) / 1000));
      return {
        text: wait === 0 ? `${log} reconnecting` : `${log} lost, retry ${wait}s`,
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
 * Returns the service names of the opened deployment: from its listing, or else from its log (open
 * points, "Deployment fields").
 */
export function servicesOf(deck: Pick<Deck, 'deployments' | 'opened'>): readonly string[] {
  const { id, tail } = deck.opened.getState();
  const listed = listedDeployment(deck, id)?.services.map((service) => service.name) ?? [];
  if (listed.length > 0 || tail === undefined) return listed;
  const own = tail.joined?.members.find(({ deploymentId }) => deploymentId === id) ?? tail.log;
  return [...own.services()];
}

/** Returns whether the opened log is frozen. */
export function isFrozen({ opened }: Pick<Deck, 'opened'>): boolean {
  return opened.getState().tail?.view.position.getState().kind === 'frozen';
}

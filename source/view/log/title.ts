/** Titles and status of the log: its deployments, shown lines, reader state and connection. */
import type { Deck } from '../../store/deck/deck.ts';
import { deploymentLabel, shortId } from '../../store/deployments/deployments.ts';
import { unansweredSince } from '../../store/deck/polling.ts';
import { isUtcFormat, momentText } from '../../store/log/times.ts';
import { listedDeployment } from '../command/row-under-cursor.ts';
import { formatCount } from '../text/amount.ts';
import type { Line } from '../text/line.ts';
import type { LogStatus } from '../text/status-line.ts';
import type { Tail } from '../../store/log/tail.ts';
import type { LogLabel } from '../../tail/log/log.ts';
import { joinNames, logMembers } from './members.ts';
import { rateBars } from './rate-bars.ts';

/** The handles that the state of the log needs. */
type Handles = Pick<Deck, 'screen' | 'deployments' | 'opened' | 'refresh'>;

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

/** Returns the title of pane 4 while it shows the log: its deployments, selected services and labels. */
export function logPaneTitle(deck: Pick<Deck, 'deployments' | 'opened'>, long: boolean): string {
  const name = tailText(deck, long);
  return name === '' ? 'Logs' : `Logs ${name}${servicesText(deck)}${labelsText(deck)}`;
}

const labelWords: Readonly<Record<LogLabel, string>> = {
  unnumbered: 'no line numbers',
  'by-time': 'listed by time',
  late: 'late lines',
};

/** Returns what holds for the whole log, for the title; empty where nothing does. */
function labelsText({ opened }: Pick<Deck, 'opened'>): string {
  const labels = opened.getState().tail?.log.state.getState().labels ?? [];
  return labels.length === 0 ? '' : ` (${labels.map((label) => labelWords[label]).join(', ')})`;
}

/** Returns the title of the log below the editor. */
export function logTitle(deck: Pick<Deck, 'deployments' | 'opened'>): string {
  return `Logs ${tailText(deck, false)}`;
}

/** Most services named in a title. */
const maxNames = 3;

/** Returns the selected services for the title; empty when the lines of all are shown. */
function servicesText(deck: Pick<Deck, 'deployments' | 'opened'>): string {
  const { tail } = deck.opened.getState();
  const names = tail === undefined ? [] : shownNames(deck, tail);
  return names.length === 0 ? '' : `: ${namesText(names)}`;
}

/** Returns the deployments and services that the filter shows; empty when it shows all. */
function shownNames(deck: Pick<Deck, 'deployments'>, tail: Tail): readonly string[] {
  const { services, members } = tail.filter.state.getState();
  const labels = logMembers(deck, tail).map(({ label }) => label);
  return [...[...(members ?? [])].map((member) => labels[member] ?? ''), ...(services ?? [])];
}

function namesText(names: readonly string[]): string {
  const more = names.length - maxNames;
  return [...names.slice(0, maxNames), ...(more > 0 ? [`+${more}`] : [])].join(' ');
}

/** Returns `PAUSED +1,204`, or undefined while following. */
function frozenText(deck: Pick<Deck, 'opened'>): string | undefined {
  const { tail } = deck.opened.getState();
  const position = tail?.view.position.getState();
  if (tail === undefined || position?.kind !== 'frozen') return undefined;
  const newLines = tail.log.received() - position.received;
  return newLines > 0 ? `PAUSED +${formatCount(newLines)}` : 'PAUSED';
}

/** Returns the state of the log without the time of its last line and its counts, for a narrow row. */
export function shortState(state: Line): Line {
  return state.map((part) => ({ ...part, text: part.text.replace(/(?: since |, \d).*$/, '') }));
}

/** Milliseconds without a line before the status shows the time of the last one. */
const quietAfter = 60_000;

/** Returns the state of the log at the right of its title: paused, or else its connection and rate. */
export function readerStatus(deck: Handles, now: number, bars: string): LogStatus | undefined {
  const frozen = frozenText(deck);
  const status = logStatus(deck, now, bars);
  if (frozen === undefined) return status;
  // A lost connection makes the number of new lines a part of the truth.
  const isHealthy = status === undefined || status.token === 'good';
  return { text: isHealthy ? frozen : `${frozen} | ${status.text}`, token: 'busy' };
}

/**
 * Returns the connection state of the log for row 1. A log without lines has stopped when the service
 * does not answer either, whatever its stream looks like.
 * @param bars characters for the rate.
 */
export function logStatus(deck: Handles, now: number, bars: string): LogStatus | undefined {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return undefined;
  const { connection, rate, unreadable, others } = tail.log.state.getState();
  const unhealthy = tail.joined?.worstMember();
  const since = rate > 0 ? undefined : unansweredSince(deck.refresh, now);
  const utc = isUtcFormat(deck.screen.getState().times);
  if (since !== undefined && connection.kind !== 'stopped') {
    const at = Math.max(since, tail.reading.rates.newestAt() ?? since);
    return { text: `stopped ${momentText(at, now, utc)}`, token: 'bad' };
  }
  const log =
    unhealthy === undefined ? 'log' : `log ${deck.deployments.label(unhealthy.deploymentId)}`;
  switch (connection.kind) {
    case 'connecting':
      return connection.error === undefined
        ? { text: `${log} connecting`, token: 'busy' }
        : { text: `${log} reconnecting`, token: 'bad' };
    case 'live': {
      const newest = rate > 0 ? now : (tail.reading.rates.newestAt() ?? now);
      const quiet = now - newest < quietAfter ? '' : ` since ${momentText(newest, now, utc)}`;
      const drawn = rateBars(tail.reading.rates.bars(), bars);
      const counted = others === 0 ? '' : `, ${formatCount(others)} other`;
      const text = `live ${formatCount(rate)}/s${quiet}${counted}`;
      return unreadable === 0
        ? { text, token: 'good', bars: drawn }
        : { text: `${formatCount(unreadable)} unreadable, ${text}`, token: 'busy', bars: drawn };
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
      return connection.error?.code === 'ended'
        ? { text: `${log} complete`, token: 'quiet' }
        : { text: `${log} stopped`, token: 'bad' };
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

import { shortAddress } from '../../store/grants/address.ts';
import { localMinuteText } from '../../store/time/time-of-day.ts';
import type { HighlightedLines } from '../../editor/coloured-lines.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import { ageSince } from '../../store/time/age.ts';
import type { DetailRow } from '../text/detail-rows.ts';
import { column } from '../text/fit.ts';
import { type Line, span } from '../text/line.ts';
import { stateToken } from '../text/theme.ts';
import { restDetails, volumeRow } from './details.ts';

type Service = Deployment['services'][number];

/** Widths of the columns in cells. */
const cells = { label: 9, state: 11, running: 6 } as const;

/** Letters of an id that is too long for its column: those at its start and at its end. */
const shownOfId = { head: 13, tail: 7 } as const;

/** Facts of the preview that the deployment does not hold. */
export interface PreviewContext {
  /** ms since the epoch, by the clock of the service. */
  readonly now: number;
  /** Wallet of the person; undefined if unknown. */
  readonly caller: string | undefined;
  /** Width of the column in cells. */
  readonly width: number;
  /** Highlighting of the SDL. */
  readonly colours: HighlightedLines | undefined;
}

/** Returns the rows of a deployment beside the log: short facts, then those that Details names last. */
export function deploymentPreview(
  read: DecodedRecord<Deployment>,
  { now, caller, width, colours }: PreviewContext,
): readonly DetailRow[] {
  const { id, owner, createdAt, closedAt, pricePerHour, services } = read.value;
  const facts = [
    ['id', shortId(id, width - cells.label)],
    ['owner', owner === undefined ? undefined : ownerText(owner, caller)],
    ['created', momentText(createdAt, now)],
    ['closed', momentText(closedAt, now)],
    ['cost', pricePerHour === undefined ? undefined : `${pricePerHour}/h`],
  ] as const;
  const gap: readonly DetailRow[] =
    services.length === 0 ? [] : [{ key: 'before services', line: [] }];
  return [
    ...facts.flatMap(([name, text]) => (text === undefined ? [] : [factRow(name, text)])),
    ...gap,
    ...services.flatMap((service) => serviceRows(service, now)),
    ...restDetails(read, colours),
  ];
}

function factRow(name: string, text: string): DetailRow {
  return { key: name, line: [span(column(name, cells.label), 'quiet'), span(text)] };
}

function shortId(id: string, room: number): string {
  const { head, tail } = shownOfId;
  if (id.length <= room || id.length <= head + tail) return id;
  return `${id.slice(0, head)}..${id.slice(-tail)}`;
}

function ownerText(owner: string, caller: string | undefined): string {
  const isCaller = caller?.toLowerCase() === owner.toLowerCase();
  return `${shortAddress(owner)}${isCaller ? ' (you)' : ''}`;
}

/** Formats a time with its age: `2026-11-22 11:38, 2m ago`. */
function momentText(timestamp: string | undefined, now: number): string | undefined {
  const at = Date.parse(timestamp ?? '');
  if (Number.isNaN(at)) return timestamp;
  return `${localMinuteText(at)}, ${ageSince(timestamp, now)} ago`;
}

function serviceRows(service: Service, now: number): readonly DetailRow[] {
  const { name, state, restarts, instances, running, volumes = [] } = service;
  const isCounted = instances !== undefined && running !== undefined;
  const line: Line = [
    span(column(name, cells.label), 'info'),
    span(column(state ?? '-', cells.state), stateToken(state)),
    span(column(isCounted ? `${running}/${instances}` : '', cells.running)),
    span(restarts === undefined ? '' : restarts === 1 ? '1 restart' : `${restarts} restarts`),
  ];
  const key = `service ${name}`;
  const facts = serviceFacts(service, now);
  return [
    { key, line },
    ...(facts === '' ? [] : [{ key: `${key} facts`, line: factRow('', facts).line }]),
    ...volumes.map((volume) => volumeRow(key, volume, instances)),
  ];
}

/** Returns how a service ended last, how long it is up, and its ports. */
function serviceFacts({ state, startedAt, exitCode, exposes }: Service, now: number): string {
  const since = ageSince(startedAt, now);
  // A service that does not run is not up, however recently it started.
  const isRunning = stateToken(state) === 'good';
  return [
    typeof exitCode === 'number' && !isRunning ? `exit ${exitCode}` : '',
    since === '' ? '' : isRunning ? `up ${since}` : `started ${since} ago`,
    exposes === undefined ? '' : `port ${exposes.join(', ')}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

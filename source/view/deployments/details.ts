import { ageSince } from '../../store/time/age.ts';
import { formatBytes } from '../../store/files/file-size.ts';
import { colouredLine } from '../text/coloured-line.ts';
import {
  type DetailRow,
  field,
  heading,
  jsonFields,
  moment,
  optional,
  textRows,
  unknownFields,
} from '../text/detail-rows.ts';
import { column } from '../text/fit.ts';
import { type Line, span } from '../text/line.ts';
import { instanceRows } from './instance-rows.ts';
import { rememberedRows } from '../text/remembered-rows.ts';
import { stateToken } from '../text/theme.ts';
import type { HighlightedLines } from '../../editor/coloured-lines.ts';
import type { Deployment, ServiceVolume, UndoneRestart } from '../../contract/deployments.ts';
import type { DecodedRecord } from '../../client/decode/fields.ts';

type Service = Deployment['services'][number];

/**
 * Returns one row for each field of a deployment; unknown fields are shown as the service sent them.
 * @param colours highlighting of its SDL.
 */
export function deploymentDetails(
  read: DecodedRecord<Deployment>,
  now: number,
  colours?: HighlightedLines,
): readonly DetailRow[] {
  const { services, ...deployment } = read.value;
  const { state, pricePerHour, rolledBack } = deployment;
  return [
    field('id', deployment.id),
    ...optional('name', deployment.name),
    ...(state === undefined ? [] : [field('state', state, state, stateToken(state))]),
    ...moment('created', deployment.createdAt, now),
    ...moment('restarted', deployment.restartedAt, now),
    ...(rolledBack === undefined ? [] : [rollbackRow(rolledBack, now)]),
    ...moment('closed', deployment.closedAt, now),
    ...optional('owner', deployment.owner),
    ...(pricePerHour === undefined ? [] : [field('price', `${pricePerHour} an hour`)]),
    ...(services.length > 0 ? heading('services', JSON.stringify(services, null, 2)) : []),
    ...services.flatMap((service) => serviceRows(service, now)),
    ...restDetails(read, colours),
  ];
}

/** Returns the reason why the version before the last restart runs. */
function rollbackRow({ at, reason }: UndoneRestart, now: number): DetailRow {
  const age = ageSince(at, now);
  const value = age === '' ? reason : `${age} ago: ${reason}`;
  return { ...field('rolled back', value, value, 'bad'), whole: `${at} ${reason}` };
}

/** Returns the rows below the services: warnings, unknown fields and the SDL. */
export function restDetails(
  read: DecodedRecord<Deployment>,
  colours?: HighlightedLines,
): readonly DetailRow[] {
  return [
    ...warningRows(read.value.warnings ?? []),
    ...unknownFields(read.unknown),
    ...sdlRows(read, colours),
  ];
}

function serviceRows(service: Service, now: number): readonly DetailRow[] {
  const { name, otherFields = {}, exposes, volumes = [], ...known } = service;
  const { endpoints = [], instanceStates = [] } = known;
  const sent = { name, ...known, ...(volumes.length === 0 ? {} : { volumes }), ...otherFields };
  const whole = JSON.stringify(sent, null, 2);
  const key = `service ${name}`;
  return [
    { key, ...serviceLines(service, now), value: name, whole },
    ...(exposes === undefined ? [] : [portsRow(key, exposes)]),
    ...instanceRows(key, instanceStates, endpoints, now),
    ...volumes.map((volume) => volumeRow(key, volume, service.instances)),
    ...otherRows(key, otherFields),
  ];
}

/** Returns the fields without names of their own. A service that listens nowhere has no row of ports. */
function otherRows(
  key: string,
  { ports, ...others }: Readonly<Record<string, unknown>>,
): readonly DetailRow[] {
  if (!Array.isArray(ports) || !ports.every((port) => typeof port === 'number')) {
    return jsonFields(key, ports === undefined ? others : { ports, ...others }, '    ');
  }
  const value = ports.join(', ');
  const line: Line = [span(column('    ports', 16), 'quiet'), span(value)];
  const row = { key: `${key} ports`, line, value, whole: JSON.stringify(ports) };
  return [...(ports.length === 0 ? [] : [row]), ...jsonFields(key, others, '    ')];
}

/** Returns the use of a volume in all instances, and its size in each. */
export function volumeRow(key: string, volume: ServiceVolume, instances = 1): DetailRow {
  const { name, mount, kind, readOnly, size, used } = volume;
  const sizes = size === undefined ? '' : formatBytes(size);
  const room = instances > 1 && sizes !== '' ? `${instances} x ${sizes}` : sizes;
  const facts = [
    kind === 'persistent' ? '' : kind === 'memory' ? 'in memory' : 'empty at each start',
    readOnly ? 'read-only' : '',
    [used === undefined ? '' : formatBytes(used), room].filter((part) => part !== '').join(' of '),
  ].filter((part) => part !== '');
  const line: Line = [
    span(column(`    ${name}`, 16), 'quiet'),
    span(column(mount, 24)),
    span(facts.join(', ')),
  ];
  return {
    key: `${key} volume ${name}`,
    line,
    value: mount,
    whole: JSON.stringify(volume, null, 2),
  };
}

function warningRows(warnings: NonNullable<Deployment['warnings']>): readonly DetailRow[] {
  if (warnings.length === 0) return [];
  const rows = warnings.map(({ line, column: offset, message }, index): DetailRow => {
    const value = `${line}:${offset} ${message}`;
    return { key: `warning ${index}`, line: [span(`  ${value}`, 'busy')], value };
  });
  return [...heading('warnings', JSON.stringify(warnings, null, 2)), ...rows];
}

/** Returns the ports in the SDL, which may differ from those the service has opened. */
function portsRow(key: string, exposes: readonly string[]): DetailRow {
  const value = exposes.join('; ');
  const line: Line = [
    span(column('    exposes', 16), 'quiet'),
    span(value),
    span('  from its SDL', 'quiet'),
  ];
  return { key: `${key} exposes`, line, value };
}

/** Returns the line of a service in columns, and a short one in which its age comes first. */
function serviceLines(service: Service, now: number): Pick<DetailRow, 'line' | 'short'> {
  const { startedAt, restarts, exitCode, instances, running } = service;
  const since = ageSince(startedAt, now);
  // A service that does not run is not up, however recently it started.
  const isRunning = stateToken(service.state) === 'good';
  const isCounted = instances !== undefined && running !== undefined;
  const counts = isCounted ? `${running}/${instances}` : '';
  const age = since === '' ? '' : isRunning ? `up ${since}` : `started ${since} ago`;
  const rest = [
    restarts === undefined ? '' : restarts === 1 ? '1 restart' : `${restarts} restarts`,
    typeof exitCode === 'number' ? `last exit ${exitCode}` : '',
  ];
  const name = (cells: number) => span(`  ${column(service.name, cells)}`, 'info');
  const state = service.state ?? '';
  const token = stateToken(service.state);
  return {
    line: [
      name(14),
      span(column(state, 12), token),
      span(listed([isCounted ? `${counts} running` : '', age, ...rest])),
    ],
    short: [
      name(10),
      span(state === '' ? '' : `${state} `, token),
      span(listed([age, counts, ...rest])),
    ],
  };
}

function listed(facts: readonly string[]): string {
  return facts.filter((fact) => fact !== '').join(', ');
}

const sdlRows = rememberedRows((read: DecodedRecord<Deployment>, colours) => {
  const { sdl } = read.value;
  if (sdl === undefined) return [];
  const lines = sdl.split('\n');
  return [
    ...heading('sdl', sdl),
    ...textRows('sdl', lines, sdl, (text, index) => colouredLine(text, colours?.[index], '  ')),
  ];
});

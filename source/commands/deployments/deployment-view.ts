/** The printed form of deployments. */
import type { DecodedRecord } from '../../client/decode/fields.ts';
import { type Deployment, endpointText, type Service } from '../../contract/deployments.ts';
import { conditionOf } from '../../store/alerts/condition.ts';
import { ageSince } from '../../store/time/age.ts';
import { type RecordDetail, recordJson, type RecordView } from '../output/record-view.ts';

type Read = DecodedRecord<Deployment>;

/** Returns the most urgent word about a deployment: of a failed service, else its own state. */
function stateWord({ value }: Read): string | undefined {
  const { word } = conditionOf(value, false, undefined);
  return word === '' ? undefined : word;
}

function serviceNames({ value }: Read, separator: string): string | undefined {
  const names = value.services.map(({ name }) => name);
  return names.length === 0 ? undefined : names.join(separator);
}

/** Deployments as `deployments list` and `deployments get` print them. */
export const deploymentView: RecordView<Read> = {
  columns: [
    { title: 'NAME', value: ({ value }) => value.name },
    { title: 'STATE', value: stateWord },
    {
      title: 'SERVICES',
      value: (read) => serviceNames(read, ','),
      shown: (read) => serviceNames(read, ', '),
      isShrinkable: true,
      isOptional: true,
    },
    {
      title: 'CREATED',
      value: ({ value }) => value.createdAt,
      shown: ({ value }, now) => ageSince(value.createdAt, now),
      isOptional: true,
    },
    { title: 'ID', value: ({ value }) => value.id },
  ],
  details: (read, now) => {
    const { value } = read;
    const { name, id, owner, pricePerHour, services, warnings = [] } = value;
    const time = (title: string, at: string | undefined): RecordDetail => {
      const age = ageSince(at, now);
      return { title, value: at, shown: age === '' ? at : `${at} (${age} ago)` };
    };
    return [
      { title: 'NAME', value: name },
      { title: 'STATE', value: stateWord(read) },
      { title: 'ID', value: id },
      { title: 'OWNER', value: owner },
      { title: 'PRICE', value: pricePerHour, shown: pricePerHour && `${pricePerHour} per hour` },
      time('CREATED', value.createdAt),
      time('RESTARTED', value.restartedAt),
      { title: 'ROLLED BACK', value: value.rolledBack?.reason },
      time('CLOSED', value.closedAt),
      ...services.flatMap((service) => serviceRows(service, now)),
      ...warnings.map(({ message }) => ({ title: 'WARNING', value: message })),
    ];
  },
  fields: [
    'id',
    'name',
    'state',
    'services',
    'createdAt',
    'restartedAt',
    'rolledBack',
    'closedAt',
    'owner',
    'sdl',
    'pricePerHour',
    'warnings',
  ],
  json: deploymentJson,
  id: ({ value }) => value.id,
};

/** Returns a deployment as JSON; services that the service doesn't list are left out. */
export function deploymentJson(read: Read): Readonly<Record<string, unknown>> {
  const { services: _, ...rest } = recordJson(read);
  const listed = read.value.services.map(({ otherFields = {}, ...known }) => ({
    ...known,
    ...otherFields,
  }));
  return listed.length === 0 ? rest : { ...rest, services: listed };
}

function serviceRows(service: Service, now: number): readonly RecordDetail[] {
  return [serviceRow(service), ...instanceDetails(service, now)];
}

function serviceRow(service: Service): RecordDetail {
  const { name, state, running, instances, restarts, exitCode, exposes = [] } = service;
  const counts =
    running === undefined && instances === undefined
      ? []
      : [`${running ?? '-'}/${instances ?? '-'} running`];
  const facts = [
    name,
    ...(state === undefined ? [] : [state]),
    ...counts,
    ...(restarts === undefined || restarts === 0 ? [] : [`${restarts} restarts`]),
    ...(exitCode === undefined || exitCode === null ? [] : [`exit ${exitCode}`]),
    ...(exposes.length === 0 ? [] : [exposes.join('; ')]),
  ];
  return { title: 'SERVICE', value: facts.join(', ') };
}

/** Returns a row for each instance on a cluster: its node, its endpoints, its start and restarts. */
function instanceDetails(service: Service, now: number): readonly RecordDetail[] {
  const { name, endpoints = [], instanceStates = [] } = service;
  return instanceStates.map(({ instance, state, node, startedAt, restarts, reason }) => {
    const own = endpoints.filter((endpoint) => endpoint.instance === instance).map(endpointText);
    const textWith = (start: string | undefined) =>
      [
        `${name} ${instance}`,
        state,
        ...(node === undefined ? [] : [node]),
        ...own,
        ...(start === undefined ? [] : [`since ${start}`]),
        ...(restarts === undefined || restarts === 0 ? [] : [`${restarts} restarts`]),
        ...(reason === undefined ? [] : [reason]),
      ].join(', ');
    const age = ageSince(startedAt, now);
    const value = textWith(startedAt);
    return { title: 'INSTANCE', value, shown: age === '' ? value : textWith(`${age} ago`) };
  });
}

/** Decodes deployment records. */
import type { Deployment, Service } from '../../contract/deployments.ts';
import type { SdlWarning } from '../../contract/sdl/definition.ts';
import {
  amount,
  type Decoded,
  decoded,
  type Fields,
  fieldsOf,
  filled,
  isRecord,
  type JsonRecord,
  type Kind,
  misread,
  text,
} from './fields.ts';

/** A deployment record before its services are completed from the SDL. */
export interface ReadDeployment {
  readonly value: Omit<Deployment, 'services'>;
  /** Undefined when the record lists none; the SDL may name them. */
  readonly services: readonly Service[] | undefined;
  readonly unknown: JsonRecord;
}

/** Decodes a deployment record. Only the id is required. */
export function decodeDeployment(value: unknown, at: string): Decoded<ReadDeployment> {
  if (!isRecord(value)) return misread(at, value, 'an object');
  const fields = fieldsOf(value, at);
  const id = fields.need(filled, 'id');
  if (!id.ok) return id;
  const deployment = {
    id: id.value,
    name: fields.take(filled, 'name'),
    state: fields.take(filled, 'state', 'status'),
    createdAt: fields.take(text, 'createdAt', 'created'),
    restartedAt: fields.take(text, 'restartedAt', 'restarted'),
    closedAt: fields.take(text, 'closedAt', 'closed'),
    owner: fields.take(text, 'owner'),
    sdl: fields.take(text, 'sdl'),
    warnings: fields.take(warnings, 'warnings'),
  };
  const listedServices = fields.take(services, 'services');
  return decoded({ value: deployment, services: listedServices, unknown: fields.unknown() });
}

const warnings: Kind<readonly SdlWarning[]> = {
  expected: 'a list of warnings',
  read: (value) => (Array.isArray(value) && value.every(isWarning) ? value : undefined),
};

function isWarning(value: unknown): value is SdlWarning {
  if (!isRecord(value)) return false;
  const { line, column, message } = value;
  return typeof line === 'number' && typeof column === 'number' && typeof message === 'string';
}

/** Services as a list of names, a list of records with a name, or records keyed by name. */
const services: Kind<readonly Service[]> = {
  expected: 'a list of services',
  read(value) {
    if (Array.isArray(value)) {
      const decodedServices = value.map(readService);
      return decodedServices.every((service) => service !== undefined)
        ? decodedServices
        : undefined;
    }
    if (!isRecord(value)) return undefined;
    return Object.entries(value).flatMap(([name, record]) =>
      name === '' ? [] : [readNamedService(name, isRecord(record) ? record : {})],
    );
  },
};

function readService(value: unknown): Service | undefined {
  if (typeof value === 'string') return value === '' ? undefined : { name: value };
  if (!isRecord(value)) return undefined;
  const name = fieldsOf(value, '').take(filled, 'name', 'serviceName');
  return name === undefined ? undefined : readNamedService(name, value);
}

function readNamedService(name: string, record: JsonRecord): Service {
  const fields: Fields = fieldsOf(record, '');
  fields.take(filled, 'name', 'serviceName');
  const service = {
    name,
    state: fields.take(filled, 'state', 'status'),
    startedAt: fields.take(text, 'startedAt', 'started'),
    restarts: fields.take(amount, 'restarts', 'restartCount'),
    exitCode: fields.take(exitCode, 'exitCode'),
    instances: fields.take(amount, 'instances', 'replicas', 'count'),
    running: fields.take(amount, 'running', 'ready', 'available'),
  };
  const more = fields.unknown();
  return Object.keys(more).length === 0 ? service : { ...service, more };
}

/** Null means that no run has ended yet; undefined means unknown. */
const exitCode: Kind<number | null> = {
  expected: 'a number',
  read: (value) => (value === null ? null : amount.read(value)),
};

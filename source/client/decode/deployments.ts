/** Decodes deployment records. */
import { formatAmountDigits, normaliseDecimal } from '../../contract/amount.ts';
import type {
  Deployment,
  Service,
  ServiceVolume,
  UndoneRestart,
  ServiceEndpoint,
  ServiceInstance,
} from '../../contract/deployments.ts';
import type { SdlWarning, VolumeKind } from '../../contract/sdl/definition.ts';
import {
  finiteNumber,
  type Decoded,
  decodeSuccess,
  type FieldDecoder,
  createFieldDecoder,
  nonEmptyText,
  isRecord,
  type JsonRecord,
  type FieldType,
  decodeFailure,
  text,
  timestampText,
} from './fields.ts';

/** A deployment record before its services are completed from the SDL. */
export interface DecodedDeployment {
  readonly value: Omit<Deployment, 'services'>;
  /** Undefined when the record lists none; the SDL may name them. */
  readonly services: readonly Service[] | undefined;
  readonly unknown: JsonRecord;
}

/** Decodes a deployment: a record, of which only the id is required, or an id alone. */
export function decodeDeployment(value: unknown, at: string): Decoded<DecodedDeployment> {
  if (typeof value === 'string' && value !== '') {
    return decodeSuccess({ value: { id: value }, services: undefined, unknown: {} });
  }
  if (!isRecord(value)) return decodeFailure(at, value, 'an id or an object');
  const fields = createFieldDecoder(value, at);
  const id = fields.required(nonEmptyText, 'id');
  if (!id.ok) return id;
  const deployment = {
    id: id.value,
    name: fields.optional(nonEmptyText, 'name'),
    state: fields.optional(nonEmptyText, 'state', 'status'),
    createdAt: fields.optional(timestampText, 'createdAt', 'created'),
    restartedAt: fields.optional(timestampText, 'restartedAt', 'restarted'),
    closedAt: fields.optional(timestampText, 'closedAt', 'closed'),
    owner: fields.optional(text, 'owner'),
    sdl: fields.optional(text, 'sdl'),
    pricePerHour: fields.optional(price, 'pricePerHour'),
    warnings: fields.optional(warnings, 'warnings'),
    rolledBack: fields.optional(undoneRestart, 'rolledBack'),
  };
  const listedServices = fields.optional(services, 'services');
  return decodeSuccess({ value: deployment, services: listedServices, unknown: fields.unknown() });
}

/** A price as a number or as decimal text. */
const price: FieldType<string> = {
  expected: 'an amount',
  decode(value) {
    if (typeof value === 'string') return normaliseDecimal(value);
    const amount = finiteNumber.decode(value);
    return amount === undefined ? undefined : formatAmountDigits(amount);
  },
};

/** An undone restart as our host sends it; other shapes are shown as they came. */
const undoneRestart: FieldType<UndoneRestart> = {
  expected: 'an undone restart',
  decode(value) {
    if (!isRecord(value)) return undefined;
    const { at, reason } = value;
    return typeof at === 'string' && typeof reason === 'string' ? { at, reason } : undefined;
  },
};

const warnings: FieldType<readonly SdlWarning[]> = {
  expected: 'a list of warnings',
  decode: (value) => (Array.isArray(value) && value.every(isWarning) ? value : undefined),
};

function isWarning(value: unknown): value is SdlWarning {
  if (!isRecord(value)) return false;
  const { line, column, message } = value;
  return typeof line === 'number' && typeof column === 'number' && typeof message === 'string';
}

/** Services as a list of names, a list of records with a name, or records keyed by name. */
const services: FieldType<readonly Service[]> = {
  expected: 'a list of services',
  decode(value) {
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
  const name = createFieldDecoder(value, '').optional(nonEmptyText, 'name', 'serviceName');
  return name === undefined ? undefined : readNamedService(name, value);
}

function readNamedService(name: string, record: JsonRecord): Service {
  const fields: FieldDecoder = createFieldDecoder(record, '');
  fields.optional(nonEmptyText, 'name', 'serviceName');
  const service = {
    name,
    state: fields.optional(nonEmptyText, 'state', 'status'),
    startedAt: fields.optional(timestampText, 'startedAt', 'started'),
    restarts: fields.optional(finiteNumber, 'restarts', 'restartCount'),
    exitCode: fields.optional(exitCode, 'exitCode'),
    instances: fields.optional(finiteNumber, 'instances', 'replicas', 'count'),
    running: fields.optional(finiteNumber, 'running', 'ready', 'available'),
    endpoints: fields.optional(endpointsField, 'endpoints'),
    instanceStates: fields.optional(instanceStatesField, 'instanceStates'),
    volumes: fields.optional(volumes, 'volumes'),
  };
  const more = fields.unknown();
  return Object.keys(more).length === 0 ? service : { ...service, otherFields: more };
}

/** Volumes as our host sends them; other shapes are shown as they came. */
const volumes: FieldType<readonly ServiceVolume[]> = {
  expected: 'a list of volumes',
  decode: (value) => (Array.isArray(value) && value.every(isVolume) ? value : undefined),
};

const volumeKinds: ReadonlySet<unknown> = new Set<VolumeKind>([
  'persistent',
  'temporary',
  'memory',
]);

function isVolume(value: unknown): value is ServiceVolume {
  if (!isRecord(value)) return false;
  const { name, mount, kind, readOnly, size, used } = value;
  return (
    typeof name === 'string' &&
    typeof mount === 'string' &&
    typeof readOnly === 'boolean' &&
    volumeKinds.has(kind) &&
    [size, used].every(
      (bytes) => bytes === undefined || (Number.isFinite(bytes) && Number(bytes) >= 0),
    )
  );
}

/** Null means that no run has ended yet; undefined means unknown. */
const exitCode: FieldType<number | null> = {
  expected: 'a number',
  decode: (value) => (value === null ? null : finiteNumber.decode(value)),
};

/** Endpoints as our host sends them; other shapes are shown as they came. */
const endpointsField: FieldType<readonly ServiceEndpoint[]> = {
  expected: 'a list of endpoints',
  decode: (value) => (Array.isArray(value) && value.every(isEndpoint) ? value : undefined),
};

/** Instances as our host sends them; other shapes are shown as they came. */
const instanceStatesField: FieldType<readonly ServiceInstance[]> = {
  expected: 'a list of instances',
  decode: (value) => (Array.isArray(value) && value.every(isInstance) ? value : undefined),
};

function isEndpoint(value: unknown): value is ServiceEndpoint {
  if (!isRecord(value)) return false;
  const { instance, node, address, port, target } = value;
  return (
    isText(node) &&
    isText(address) &&
    isCount(port) &&
    [instance, target].every((number) => number === undefined || isCount(number))
  );
}

function isInstance(value: unknown): value is ServiceInstance {
  if (!isRecord(value)) return false;
  const { instance, state, node, address, startedAt, restarts, reason } = value;
  return (
    isCount(instance) &&
    isText(state) &&
    [node, address, startedAt, reason].every((text) => text === undefined || isText(text)) &&
    (restarts === undefined || isCount(restarts))
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

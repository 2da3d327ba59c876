import { deploymentStates } from '../deployments.ts';
import {
  countSchema,
  listSchema,
  objectSchema,
  type Schema,
  type Schemas,
  schemaRef,
  textSchema,
  timestampSchema,
} from './schema.ts';

const state: Schema = {
  type: 'string',
  enum: deploymentStates,
  description:
    '`node lost`: an instance ran on a node that does not answer, and no other replaces it yet. ' +
    '`suspended`: neither a grant nor the balance can pay.',
};

/** Fields of a deployment in a list; all other answers have its definition too. */
const listedFields: Schemas = {
  id: textSchema('A UUID, a hyphen and digits.'),
  name: textSchema('Unique among the open deployments of its owner.'),
  state,
  createdAt: timestampSchema('Time of creation.'),
  'restartedAt?': timestampSchema('Time of the last restart through the API.'),
  'closedAt?': timestampSchema('Time of closing.'),
  'rolledBack?': schemaRef('UndoneRestart'),
  owner: textSchema('Wallet address of the creator.'),
  pricePerHour: {
    type: 'number',
    minimum: 0,
    description: 'Price of all instances for an hour, in credits.',
  },
  services: listSchema(schemaRef('Service')),
  warnings: {
    ...listSchema(schemaRef('SdlWarning')),
    description: 'Parts of the definition that have no effect, are incorrect, or prevent a start.',
  },
};

/** Schemas of deployments and services (contract, part 2), with the fields that the host adds. */
export const deploymentSchemas: Schemas = {
  Service: objectSchema({
    name: textSchema('Name of the service in file paths and logs.'),
    state,
    'startedAt?': timestampSchema('Time of the latest start.'),
    restarts: countSchema('Restarts of all instances together.'),
    exitCode: {
      type: ['integer', 'null'],
      description: 'Exit code of the last finished run; null before it and after a signal.',
    },
    instances: countSchema('Number of requested instances.'),
    running: countSchema('Number of running instances.'),
    ports: { ...listSchema({ type: 'integer' }), description: 'Ports of the running instances.' },
    'endpoints?': {
      ...listSchema(schemaRef('ServiceEndpoint')),
      description: 'On a cluster: where callers reach the running instances.',
    },
    'instanceStates?': {
      ...listSchema(schemaRef('ServiceInstance')),
      description: 'On a cluster: each instance.',
    },
    'reason?': textSchema('Reason why it failed and starts no more until the next restart.'),
    'volumes?': listSchema(schemaRef('ServiceVolume')),
  }),
  ServiceEndpoint: objectSchema({
    instance: countSchema('Number of the instance, from 1.'),
    node: textSchema('Name of the node.'),
    address: textSchema('Address of the node.'),
    port: { type: 'integer' },
    target: { type: 'integer', description: 'The port of the definition that it leads to.' },
  }),
  ServiceInstance: objectSchema({
    instance: countSchema('Number within the service, from 1.'),
    state,
    'node?': textSchema('Name of the node.'),
    'address?': textSchema('Address of the node.'),
    'startedAt?': timestampSchema('Time of the latest start.'),
    restarts: countSchema('Restarts since the last one through the API.'),
    'reason?': textSchema(
      'Reason of the cluster why it does not run, such as no node with room; while it runs, the lost ' +
        'node of the one that it replaces.',
    ),
  }),
  ServiceVolume: objectSchema({
    name: textSchema('Name in `params.storage` of the definition.'),
    mount: textSchema('Path of the volume in a container or a sandbox.'),
    readOnly: { type: 'boolean' },
    kind: {
      type: 'string',
      enum: ['persistent', 'temporary', 'memory'],
      description: 'Only a persistent volume outlives runs.',
    },
    'size?': countSchema('Size in bytes in each instance, from the definition.'),
    'used?': countSchema('Bytes in all instances together, measured from time to time.'),
  }),
  ListedDeployment: objectSchema(listedFields),
  Deployment: objectSchema({
    ...listedFields,
    sdl: textSchema('Text of the service definition.'),
  }),
  UndoneRestart: objectSchema({
    at: timestampSchema('Time at which the last restart was undone; the version before runs.'),
    reason: textSchema('Reason why its version failed.'),
  }),
  SdlWarning: objectSchema({
    line: countSchema('Counted from 1.'),
    column: countSchema('Counted from 1.'),
    message: textSchema('The problem and, if known, its solution.'),
  }),
};

/** Schemas of log lines, the same over HTTP and in the stream (contract, part 2). */
export const logSchemas: Schemas = {
  LogMessage: objectSchema({
    type: { type: 'string', const: 'log' },
    id: countSchema('Number of the line, increasing in a deployment without gaps.'),
    deploymentId: textSchema('Identifier of the deployment.'),
    serviceName: textSchema('Service that wrote the line.'),
    timestamp: timestampSchema('Time with fractional seconds.'),
    logLine: textSchema('Unmodified text, which may contain control characters.'),
    stream: {
      type: 'string',
      enum: ['stdout', 'stderr', 'system'],
      description: '`system`: messages of the host about the service.',
    },
    'instance?': countSchema('Number of the instance, from 1, if the service has several.'),
    'partial?': {
      type: 'boolean',
      description: 'True for a part of a line of more than 64 KiB that goes on in the next one.',
    },
  }),
  Ping: objectSchema({ type: { type: 'string', const: 'ping' } }),
  StreamMessage: {
    oneOf: [schemaRef('LogMessage'), schemaRef('Ping')],
    discriminator: {
      propertyName: 'type',
      mapping: {
        log: '#/components/schemas/LogMessage',
        ping: '#/components/schemas/Ping',
      },
    },
    description: 'A message of the log stream, told apart by its type.',
  },
};

/** Schemas of spend grants (contract, part 2) and of the body that creates one. */
export const grantSchemas: Schemas = {
  Grant: objectSchema({
    id: textSchema('Assigned by the service.'),
    grantor: textSchema('Wallet address of the creator.'),
    grantee: textSchema('Wallet address that may spend.'),
    limit: {
      type: 'number',
      exclusiveMinimum: 0,
      description: 'Maximum total. A decimal that may have more digits than a double.',
    },
    spent: { type: 'number', minimum: 0, description: 'Amount spent so far.' },
    expires_at: timestampSchema('Time after which nothing can be spent.'),
    created_at: timestampSchema('Time of creation.'),
    'revoked_at?': timestampSchema('Time of revocation; revoked grants stay in the list.'),
    'status?': {
      type: 'string',
      enum: ['expired'],
      description: 'Present once the grant has expired; final, even when the clock is set back.',
    },
  }),
  GrantRequest: objectSchema({
    grantee: textSchema("Wallet address other than the caller's."),
    limit: {
      type: 'number',
      exclusiveMinimum: 0,
      description: 'Below 1e30, with at most 18 decimals.',
    },
    expires_at: timestampSchema('Time in the future.'),
  }),
};

const fields: Schemas = {
  path: textSchema('Path relative to the root of the service.'),
  size: countSchema('Size in bytes.'),
  modifiedAt: timestampSchema('Time of the last change.'),
};

const content: Schema = { type: 'string', description: 'Content in `encoding`.' };

/** Schemas of files (contract, part 2). */
export const fileSchemas: Schemas = {
  File: objectSchema(fields),
  FileContent: objectSchema({
    ...fields,
    content,
    encoding: {
      type: 'string',
      enum: ['utf-8', 'base64'],
      description: '`base64` for content that is not valid UTF-8.',
    },
  }),
};

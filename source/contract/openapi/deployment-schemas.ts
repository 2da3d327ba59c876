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
  description: '`suspended`: neither a grant nor the balance can pay.',
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
  }),
  Deployment: objectSchema({
    id: textSchema('A UUID, a hyphen and digits.'),
    name: textSchema('Unique among the open deployments of its owner.'),
    state,
    createdAt: timestampSchema('Time of creation.'),
    'restartedAt?': timestampSchema('Time of the last restart through the API.'),
    'closedAt?': timestampSchema('Time of closing.'),
    owner: textSchema('Wallet address of the creator.'),
    sdl: textSchema('Text of the service definition.'),
    services: listSchema(schemaRef('Service')),
    warnings: {
      ...listSchema(schemaRef('SdlWarning')),
      description:
        'Parts of the definition that have no effect, are incorrect, or prevent a start.',
    },
  }),
  SdlWarning: objectSchema({
    line: countSchema('Counted from 1.'),
    column: countSchema('Counted from 1.'),
    message: textSchema('The problem and, if known, its solution.'),
  }),
};

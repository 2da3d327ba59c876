import { deploymentStates } from '../deployments.ts';
import {
  countOf,
  listOf,
  objectOf,
  type Schema,
  type Schemas,
  schemaRef,
  textField,
  timestamp,
} from './schema.ts';

const state: Schema = {
  type: 'string',
  enum: deploymentStates,
  description: '`suspended`: neither a grant nor the balance can pay.',
};

/** Schemas of deployments and services (contract, part 2), with the fields that the host adds. */
export const deploymentSchemas: Schemas = {
  Service: objectOf({
    name: textField('Name of the service in file paths and logs.'),
    state,
    'startedAt?': timestamp('Time of the latest start.'),
    restarts: countOf('Restarts of all instances together.'),
    exitCode: {
      type: ['integer', 'null'],
      description: 'Exit code of the last finished run; null before it and after a signal.',
    },
    instances: countOf('Number of requested instances.'),
    running: countOf('Number of running instances.'),
    ports: { ...listOf({ type: 'integer' }), description: 'Ports of the running instances.' },
  }),
  Deployment: objectOf({
    id: textField('A UUID, a hyphen and digits.'),
    name: textField('Unique among the open deployments of its owner.'),
    state,
    createdAt: timestamp('Time of creation.'),
    'restartedAt?': timestamp('Time of the last restart through the API.'),
    'closedAt?': timestamp('Time of closing.'),
    owner: textField('Wallet address of the creator.'),
    sdl: textField('Text of the service definition.'),
    services: listOf(schemaRef('Service')),
    warnings: {
      ...listOf(schemaRef('SdlWarning')),
      description:
        'Parts of the definition that have no effect, are incorrect, or prevent a start.',
    },
  }),
  SdlWarning: objectOf({
    line: countOf('Counted from 1.'),
    column: countOf('Counted from 1.'),
    message: textField('The problem and, if known, its solution.'),
  }),
};

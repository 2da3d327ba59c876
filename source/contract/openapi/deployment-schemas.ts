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
  description: '`suspended`: neither a grant nor a balance pays for it.',
};

/** Deployments and their services (contract, part 2), with the fields that our host adds. */
export const deploymentSchemas: Schemas = {
  Service: objectOf({
    name: textField('Names the service in paths of files and in logs.'),
    state,
    'startedAt?': timestamp('Of the latest start.'),
    restarts: countOf('Of all instances together.'),
    exitCode: {
      type: ['integer', 'null'],
      description: 'Of the last run that ended; null before, and after a signal.',
    },
    instances: countOf('Instances asked for.'),
    running: countOf('Instances that run.'),
    ports: { ...listOf({ type: 'integer' }), description: 'Where the running instances listen.' },
  }),
  Deployment: objectOf({
    id: textField('A UUID, a hyphen and digits.'),
    name: textField('Unique among the open deployments of its owner.'),
    state,
    createdAt: timestamp('When it was created.'),
    'restartedAt?': timestamp('When it was last restarted through the API.'),
    'closedAt?': timestamp('When it was closed.'),
    owner: textField('Wallet address of the creator.'),
    sdl: textField('The service definition it was made from.'),
    services: listOf(schemaRef('Service')),
    warnings: {
      ...listOf(schemaRef('SdlWarning')),
      description:
        'What the definition says that has no effect, is not as it should be, or keeps it from starting.',
    },
  }),
  SdlWarning: objectOf({
    line: countOf('From 1 on.'),
    column: countOf('From 1 on.'),
    message: textField('What is wrong, and what to do where that is known.'),
  }),
};

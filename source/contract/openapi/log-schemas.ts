import { countOf, objectOf, type Schemas, textField, timestamp } from './schema.ts';

/** Log lines, the same when fetched and in a frame of the stream (contract, part 2). */
export const logSchemas: Schemas = {
  LogMessage: objectOf({
    type: { type: 'string', const: 'log' },
    id: countOf('Increasing in a deployment, without holes.'),
    deploymentId: textField('The deployment.'),
    serviceName: textField('The service that wrote the line.'),
    timestamp: timestamp('With fractional seconds.'),
    logLine: textField('The text, as the service wrote it: it may hold control characters.'),
    stream: {
      type: 'string',
      enum: ['stdout', 'stderr', 'system'],
      description: '`system`: what the host says of the service.',
    },
    'instance?': countOf('Which of several instances of the service, counted from 1 on.'),
  }),
  Ping: objectOf({ type: { type: 'string', const: 'ping' } }),
};

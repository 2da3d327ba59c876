import { countOf, objectOf, type Schemas, textField, timestamp } from './schema.ts';

/** Schemas of log lines, the same over HTTP and in the stream (contract, part 2). */
export const logSchemas: Schemas = {
  LogMessage: objectOf({
    type: { type: 'string', const: 'log' },
    id: countOf('Number of the line, increasing in a deployment without gaps.'),
    deploymentId: textField('Identifier of the deployment.'),
    serviceName: textField('Service that wrote the line.'),
    timestamp: timestamp('Time with fractional seconds.'),
    logLine: textField('Unmodified text, which may contain control characters.'),
    stream: {
      type: 'string',
      enum: ['stdout', 'stderr', 'system'],
      description: '`system`: messages of the host about the service.',
    },
    'instance?': countOf('Number of the instance, from 1, if the service has several.'),
  }),
  Ping: objectOf({ type: { type: 'string', const: 'ping' } }),
};

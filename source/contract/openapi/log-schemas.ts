import { countSchema, objectSchema, type Schemas, textSchema, timestampSchema } from './schema.ts';

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
  }),
  Ping: objectSchema({ type: { type: 'string', const: 'ping' } }),
};

/** Builds the OpenAPI document of the host. */
import { logStreamPath, type OperationName, operations } from '../routes.ts';
import { deploymentSchemas } from './record-schemas.ts';
import { errorDescriptions, errorSchemas, type ErrorStatus } from './error-schemas.ts';
import { fileSchemas } from './record-schemas.ts';
import { grantSchemas } from './record-schemas.ts';
import { logSchemas } from './record-schemas.ts';
import { type OperationNotes, operationNotes } from './operation-notes.ts';
import {
  binarySchema,
  objectSchema,
  type Schema,
  type Schemas,
  schemaRef,
  textSchema,
} from './schema.ts';

/** Path of the document on the host. */
export const openApiPath = '/openapi.json';

/** Error statuses of every operation. */
const commonErrors: readonly ErrorStatus[] = [400, 401, 403, 405, 408, 429, 431, 500, 503];

const tags: Readonly<Record<OperationNotes['tag'], string>> = {
  Deployments: 'Deployments, each with one or more services.',
  Files: 'Files of a service, which take effect at a restart of its deployment.',
  Logs: 'Lines that services write, and messages of the host about them.',
  'Spend grants': 'Permissions to spend from the balance of another wallet.',
};

const parameterNotes: Schemas = {
  id: textSchema('Assigned by the service.'),
  name: textSchema('Name of a service of the deployment.'),
  path: textSchema(
    'Path of a file, percent-encoded as one segment, so with `%2F` for `/`. The host also takes slashes ' +
      'as they are, which gateways that follow this document do not.',
  ),
};

/**
 * Returns the host's operations (contract, part 4) as an OpenAPI 3.1 document.
 * @param version of the program.
 */
export function createOpenApiDocument(version: string) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Deployment hosting service',
      version,
      description: 'Deployments, the files of their services, logs and spend grants.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: paths(),
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of `hostdeck host token`. Its wallet is the caller.',
        },
      },
      schemas: {
        ...deploymentSchemas,
        ...fileSchemas,
        ...logSchemas,
        ...grantSchemas,
        ...errorSchemas,
      },
      responses: Object.fromEntries(
        Object.entries(errorDescriptions).map(([status, description]) => [
          `Error${status}`,
          { description, content: { 'application/json': { schema: schemaRef('Error') } } },
        ]),
      ),
    },
  };
}

function paths(): Readonly<Record<string, Readonly<Record<string, object>>>> {
  const items: Record<string, Record<string, object>> = {};
  for (const name of Object.keys(operations) as readonly OperationName[]) {
    const notes = operationNotes[name];
    if (notes === undefined) continue;
    const { method, path } = operations[name];
    const key = path.replaceAll(/:(\w+)/g, '{$1}');
    (items[key] ??= {})[method.toLowerCase()] = operation(name, notes);
  }
  items[logStreamPath] = { get: logStream };
  return items;
}

function operation(name: OperationName, notes: OperationNotes) {
  const { title, path } = operations[name];
  const {
    tag,
    description,
    query = {},
    body,
    status,
    answerFields,
    hasRawAnswer = false,
    errors,
  } = notes;
  const pathParameters = [...path.matchAll(/:(\w+)/g)].map(([, parameter = '']) =>
    parameterOf(parameter, 'path', parameterNotes[parameter] ?? {}),
  );
  const queryParameters = Object.entries(query).map(([parameter, schema]) =>
    parameterOf(parameter, 'query', schema),
  );
  const schema = objectSchema({ success: { type: 'boolean', const: true }, ...answerFields });
  return {
    operationId: name,
    summary: title,
    description,
    tags: [tag],
    parameters: [...pathParameters, ...queryParameters],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { [body.type]: { schema: body.schema } } } }),
    responses: {
      [status]: {
        description: status === 201 ? 'Created.' : 'Done.',
        content: {
          'application/json': { schema },
          ...(hasRawAnswer ? { 'application/octet-stream': { schema: binarySchema } } : {}),
        },
      },
      ...errorResponses([...commonErrors, ...errors]),
    },
  };
}

function parameterOf(name: string, place: 'path' | 'query', documented: Schema) {
  const { description = '', ...schema } = documented;
  return { name, in: place, required: place === 'path', description, schema };
}

function errorResponses(statuses: readonly ErrorStatus[]) {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
  );
}

/**
 * "Stream logs" (contract, part 4). OpenAPI has no WebSockets, so the frames are described as the content
 * of the answer that opens the stream.
 */
const logStream = {
  operationId: 'streamLogs',
  summary: 'stream logs',
  description:
    'A WebSocket. Each text frame is one JSON message, a new line or a ping. Fetch earlier lines with "fetch logs". The ' +
    'host sends a ping every 15 s and closes the stream of a slow reader with code 4008. On ' +
    'loopback the query parameter `access_token` may carry the token; elsewhere it is rejected.',
  tags: ['Logs'],
  parameters: [
    {
      ...parameterOf('deploymentId', 'query', textSchema('Identifier of the deployment.')),
      required: true,
    },
  ],
  responses: {
    101: {
      description: 'The stream starts. Each of its text frames has this content.',
      content: { 'application/json': { schema: schemaRef('StreamMessage') } },
    },
    ...errorResponses([...commonErrors, 404, 410, 422, 426]),
  },
};

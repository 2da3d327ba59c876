import { deploymentStates, maxListedDeployments } from '../deployments.ts';
import { defaultLogLimit } from '../logs.ts';
import { type OperationName, uploadField } from '../routes.ts';
import type { ErrorStatus } from './error-schemas.ts';
import {
  binarySchema,
  countSchema,
  listSchema,
  objectSchema,
  type Schema,
  type Schemas,
  schemaRef,
  textSchema,
} from './schema.ts';

/** Request and answers of an operation, besides its method and path. */
export interface OperationNotes {
  readonly tag: 'Deployments' | 'Files' | 'Logs' | 'Spend grants';
  readonly description: string;
  /** Optional query parameters. */
  readonly query?: Schemas;
  readonly body?: {
    readonly type: 'application/json' | 'multipart/form-data';
    readonly schema: Schema;
  };
  readonly status: 200 | 201;
  /** Fields of the answer besides `success`. */
  readonly answerFields: Schemas;
  /** True when the answer is also available as application/octet-stream. */
  readonly hasRawAnswer?: boolean;
  /** Error statuses besides the common ones. */
  readonly errors: readonly ErrorStatus[];
}

const json = (schema: Schema) => ({ type: 'application/json', schema }) as const;

const deployment = { deployment: schemaRef('Deployment') };
const file = { file: schemaRef('File') };
const grant = { grant: schemaRef('Grant') };

const staged = 'Takes effect with the next restart of the deployment.';

/** The operations that our host serves: the 15 of the contract (part 4). */
export const operationNotes: Readonly<Partial<Record<OperationName, OperationNotes>>> = {
  listDeployments: {
    tag: 'Deployments',
    description:
      'Lists the deployments of the caller without their definitions: all open ones, newest first, ' +
      'then the closed ones, the last closed first, up to 1,000 rows. An answer has fewer rows where ' +
      'the closed ones would exceed 900 kB; continue with `offset`.',
    query: {
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: maxListedDeployments,
        description: 'Maximum number of rows.',
      },
      offset: countSchema('Number of first rows to skip.'),
      state: {
        type: 'string',
        enum: deploymentStates,
        description: 'Lists only deployments in this state.',
      },
    },
    status: 200,
    answerFields: {
      deployments: listSchema(schemaRef('ListedDeployment')),
      total: countSchema('Number of deployments, in this state if one is given.'),
    },
    errors: [422],
  },
  createDeployment: {
    tag: 'Deployments',
    description:
      'Starts the services of a definition. Their price is taken from the balance of the caller, or of a ' +
      'wallet that granted it, as long as the deployment is open.',
    body: json(objectSchema({ sdl: textSchema('Text of the service definition.') })),
    status: 201,
    answerFields: deployment,
    errors: [409, 413, 422, 507],
  },
  getDeployment: {
    tag: 'Deployments',
    description: 'Returns the deployment with its definition and its services.',
    status: 200,
    answerFields: deployment,
    errors: [404],
  },
  closeDeployment: {
    tag: 'Deployments',
    description: 'Closes the deployment permanently. Has no effect on a closed deployment.',
    status: 200,
    answerFields: deployment,
    errors: [404, 413],
  },
  restartDeployment: {
    tag: 'Deployments',
    description: 'Restarts the deployment with its current files.',
    status: 200,
    answerFields: deployment,
    errors: [404, 409, 413],
  },
  uploadFiles: {
    tag: 'Files',
    description:
      'The filename of each part is its path in UTF-8, without `"`, `\\`, control characters, `%22`, ' +
      '`%00` to `%1F` or `&#` with digits: programs read these differently, so "update ' +
      `file" writes files with such names. Writes all files or none. ${staged}`,
    body: {
      type: 'multipart/form-data',
      schema: objectSchema({
        [uploadField]: {
          ...listSchema(binarySchema),
          description: 'Repeated, with one file in each part.',
        },
      }),
    },
    status: 200,
    answerFields: { files: listSchema(schemaRef('File')) },
    errors: [404, 409, 413, 422, 507],
  },
  listFiles: {
    tag: 'Files',
    description: 'Lists the files of the service.',
    status: 200,
    answerFields: { files: listSchema(schemaRef('File')) },
    errors: [404, 409, 410],
  },
  getFile: {
    tag: 'Files',
    description:
      'Returns the bytes of the file for `Accept: application/octet-stream`, else JSON with its content. ' +
      'Files of more than 16 MiB are available only as bytes.',
    status: 200,
    answerFields: { file: schemaRef('FileContent') },
    hasRawAnswer: true,
    errors: [404, 409, 410, 413, 422],
  },
  updateFile: {
    tag: 'Files',
    description: `Creates the file if it does not exist. ${staged}`,
    body: json(objectSchema({ content: textSchema('New content.') })),
    status: 200,
    answerFields: file,
    errors: [404, 409, 413, 422, 507],
  },
  renameFile: {
    tag: 'Files',
    description: `Never replaces an existing file. ${staged}`,
    body: json(
      objectSchema({ oldPath: textSchema('Current path.'), newPath: textSchema('New path.') }),
    ),
    status: 200,
    answerFields: file,
    errors: [404, 409, 413, 422, 507],
  },
  deleteFile: {
    tag: 'Files',
    description: `Deletes a file, or a folder without files. ${staged}`,
    status: 200,
    answerFields: {},
    errors: [404, 409, 413, 422],
  },
  fetchLogs: {
    tag: 'Logs',
    description: 'Returns the newest lines first.',
    query: {
      limit: {
        type: 'integer',
        minimum: 1,
        default: defaultLogLimit,
        description: 'Maximum number of lines.',
      },
      offset: countSchema('Number of newest lines to skip.'),
      service: textSchema('Returns only lines of this service.'),
      search: textSchema('Returns only lines with this text, ignoring case.'),
    },
    status: 200,
    answerFields: { logs: listSchema(schemaRef('LogMessage')) },
    errors: [404, 410, 422],
  },
  createGrant: {
    tag: 'Spend grants',
    description:
      'Permits another wallet to spend from the balance of the caller, up to a limit and a time.',
    body: json(schemaRef('GrantRequest')),
    status: 201,
    answerFields: grant,
    errors: [413, 422, 507],
  },
  listGrants: {
    tag: 'Spend grants',
    description: 'Lists the grants that the caller gave and received, oldest first.',
    status: 200,
    answerFields: { grants: listSchema(schemaRef('Grant')) },
    errors: [],
  },
  revokeGrant: {
    tag: 'Spend grants',
    description: 'Only the grantor may revoke a grant. Has no effect on a revoked grant.',
    status: 200,
    answerFields: grant,
    errors: [404, 413],
  },
};

import { defaultLogLimit } from '../logs.ts';
import { type OperationName, uploadField } from '../routes.ts';
import type { ErrorStatus } from './error-schemas.ts';
import {
  countOf,
  listOf,
  objectOf,
  type Schema,
  type Schemas,
  schemaRef,
  textField,
} from './schema.ts';

/** What an operation takes and answers, beside its method and path. */
export interface OperationNotes {
  readonly tag: 'Deployments' | 'Files' | 'Logs' | 'Spend grants';
  readonly description?: string;
  /** All of them optional. */
  readonly query?: Schemas;
  readonly body?: {
    readonly type: 'application/json' | 'multipart/form-data';
    readonly schema: Schema;
  };
  readonly status: 200 | 201;
  /** Fields of the answer beside `success`. */
  readonly answer: Schemas;
  /** The same as it is, for who accepts application/octet-stream. */
  readonly raw?: boolean;
  /** Beyond those that every operation may answer. */
  readonly errors: readonly ErrorStatus[];
}

const json = (schema: Schema) => ({ type: 'application/json', schema }) as const;

const deployment = { deployment: schemaRef('Deployment') };
const file = { file: schemaRef('File') };
const grant = { grant: schemaRef('Grant') };

const staged = 'Takes effect with the next restart of the deployment.';

/** The 15 operations (contract, part 4), as our host keeps them. */
export const operationNotes: Readonly<Record<OperationName, OperationNotes>> = {
  listDeployments: {
    tag: 'Deployments',
    description: 'Those of the caller, newest first.',
    status: 200,
    answer: { deployments: listOf(schemaRef('Deployment')) },
    errors: [],
  },
  createDeployment: {
    tag: 'Deployments',
    body: json(objectOf({ sdl: textField('The service definition.') })),
    status: 201,
    answer: deployment,
    errors: [413, 422, 507],
  },
  getDeployment: { tag: 'Deployments', status: 200, answer: deployment, errors: [404] },
  closeDeployment: {
    tag: 'Deployments',
    description: 'Ends it for good. Closing a closed one changes nothing.',
    status: 200,
    answer: deployment,
    errors: [404, 413],
  },
  restartDeployment: {
    tag: 'Deployments',
    description: 'Restarts it on its files as they are now.',
    status: 200,
    answer: deployment,
    errors: [404, 409, 413, 507],
  },
  uploadFiles: {
    tag: 'Files',
    description: `The filename of each part is its path. All of them are written, or none. ${staged}`,
    body: {
      type: 'multipart/form-data',
      schema: objectOf({
        [uploadField]: {
          ...listOf({ type: 'string' }),
          description: 'Repeated, one file a part.',
        },
      }),
    },
    status: 200,
    answer: { files: listOf(schemaRef('File')) },
    errors: [404, 409, 413, 422, 507],
  },
  listFiles: {
    tag: 'Files',
    status: 200,
    answer: { files: listOf(schemaRef('File')) },
    errors: [404, 409],
  },
  getFile: {
    tag: 'Files',
    description: 'Large files come raw only.',
    status: 200,
    answer: { file: schemaRef('FileContent') },
    raw: true,
    errors: [404, 409, 413, 422],
  },
  updateFile: {
    tag: 'Files',
    description: `Makes the file where there is none. ${staged}`,
    body: json(objectOf({ content: textField('The new content.') })),
    status: 200,
    answer: file,
    errors: [404, 409, 413, 422, 507],
  },
  renameFile: {
    tag: 'Files',
    description: `Never onto a file that is there. ${staged}`,
    body: json(
      objectOf({ oldPath: textField('The path it has.'), newPath: textField('The path it gets.') }),
    ),
    status: 200,
    answer: file,
    errors: [404, 409, 413, 422, 507],
  },
  deleteFile: {
    tag: 'Files',
    description: `Folders that others left only when nothing is in them. ${staged}`,
    status: 200,
    answer: {},
    errors: [404, 409, 413, 422],
  },
  fetchLogs: {
    tag: 'Logs',
    description: 'Newest first.',
    query: {
      limit: {
        type: 'integer',
        minimum: 1,
        default: defaultLogLimit,
        description: 'Most lines returned.',
      },
      offset: countOf('Lines to skip, from the newest on.'),
      service: textField('Only lines of this service.'),
      search: textField('Only lines that contain this, in upper or lower case.'),
    },
    status: 200,
    answer: { logs: listOf(schemaRef('LogMessage')) },
    errors: [404, 422],
  },
  createGrant: {
    tag: 'Spend grants',
    body: json(schemaRef('GrantRequest')),
    status: 201,
    answer: grant,
    errors: [413, 422, 507],
  },
  listGrants: {
    tag: 'Spend grants',
    description: 'Those the caller gave and those given to it, oldest first.',
    status: 200,
    answer: { grants: listOf(schemaRef('Grant')) },
    errors: [],
  },
  revokeGrant: {
    tag: 'Spend grants',
    description: 'Only the grantor may. Revoking a revoked one changes nothing.',
    status: 200,
    answer: grant,
    errors: [404, 413],
  },
};

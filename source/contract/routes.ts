/** The routes of the service API and the encoding of their paths. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The encoding of `:path` in a URL: `segments` encodes each segment and keeps the slashes, `whole`
 * encodes the slashes too (`%2F`). The contract specifies neither; services use both.
 */
export type PathForm = 'segments' | 'whole';

interface Operation {
  /** Name in messages, such as "List files failed (500)". */
  readonly title: string;
  readonly method: Method;
  /** Path below the base URL with the parameters `:id`, `:name` and `:path`. */
  readonly path: string;
}

/** The 15 HTTP operations (contract, part 4). */
export const operations = {
  listDeployments: { title: 'list deployments', method: 'GET', path: '/api/v1/deployments' },
  createDeployment: { title: 'create deployment', method: 'POST', path: '/api/v1/deployments' },
  getDeployment: { title: 'get deployment', method: 'GET', path: '/api/v1/deployments/:id' },
  closeDeployment: {
    title: 'close deployment',
    method: 'POST',
    path: '/api/v1/deployments/:id/close',
  },
  restartDeployment: {
    title: 'restart deployment',
    method: 'POST',
    path: '/api/v1/deployments/:id/restart',
  },
  uploadFiles: {
    title: 'upload files',
    method: 'POST',
    path: '/api/v1/deployments/:id/services/:name/files',
  },
  listFiles: {
    title: 'list files',
    method: 'GET',
    path: '/api/v1/deployments/:id/services/:name/files',
  },
  getFile: {
    title: 'get file',
    method: 'GET',
    path: '/api/v1/deployments/:id/services/:name/files/:path',
  },
  updateFile: {
    title: 'update file',
    method: 'PUT',
    path: '/api/v1/deployments/:id/services/:name/files/:path',
  },
  renameFile: {
    title: 'rename file',
    method: 'PATCH',
    path: '/api/v1/deployments/:id/services/:name/files/rename',
  },
  deleteFile: {
    title: 'delete file',
    method: 'DELETE',
    path: '/api/v1/deployments/:id/services/:name/files/:path',
  },
  fetchLogs: { title: 'fetch logs', method: 'GET', path: '/api/v1/deployments/:id/logs' },
  createGrant: { title: 'create grant', method: 'POST', path: '/api/v1/grants' },
  listGrants: { title: 'list grants', method: 'GET', path: '/api/v1/grants' },
  revokeGrant: { title: 'revoke grant', method: 'DELETE', path: '/api/v1/grants/:id' },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

/** The log stream: a WebSocket with the query parameter `deploymentId` (contract, part 4). */
export const logStreamPath = '/api/v1/deployments/logs/stream';

/** The multipart form field of an upload, repeated for each file (contract, part 4). */
export const uploadField = 'files';

export interface RouteParameters {
  readonly id?: string;
  readonly name?: string;
  readonly path?: string;
}

/**
 * Returns the path of an operation below the base URL with percent-encoded parameters.
 * @throws RangeError for a missing parameter, and for a path that is not requestable because clients
 * and proxies remove its empty, `.` and `..` segments. Check it with {@link isRequestablePath}.
 */
export function routePath(
  operation: OperationName,
  parameters: RouteParameters = {},
  form: PathForm = 'segments',
): string {
  return operations[operation].path.replace(
    /:(id|name|path)\b/g,
    (_, key: keyof RouteParameters) => {
      const value = parameters[key];
      if (value === undefined) throw new RangeError(`${operation} needs :${key}`);
      return key === 'path' ? encodePath(value, form) : encodeSegment(value);
    },
  );
}

/**
 * Returns false for paths that no URL can address: paths with empty, `.` or `..` segments, and paths
 * with a lone surrogate, whose encoding would address another file.
 */
export function isRequestablePath(path: string): boolean {
  return (
    path.isWellFormed() &&
    path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  );
}

function encodePath(path: string, form: PathForm): string {
  if (!isRequestablePath(path)) throw new RangeError('no URL can address this path');
  if (form === 'whole') return encodeURIComponent(path);
  return path.split('/').map(encodeSegment).join('/');
}

/** Throws for `.` and `..`, which URL parsers remove even when they are percent-encoded. */
function encodeSegment(segment: string): string {
  if (segment === '' || segment === '.' || segment === '..') {
    throw new RangeError('a path segment cannot be empty, "." or ".."');
  }
  return encodeURIComponent(segment.toWellFormed());
}

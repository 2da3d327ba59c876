export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * How `:path` is written into a URL: `segments` encodes each segment and keeps the slashes,
 * `whole` encodes the slashes too (`%2F`). The contract shows neither; both are in use.
 */
export type PathForm = 'segments' | 'whole';

interface Operation {
  /** What a person calls it; used in messages ("list files answered 500"). */
  readonly title: string;
  readonly method: Method;
  /** Below the base URL, `:id`, `:name` and `:path` as the contract writes them. */
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

/** The multipart form field of an upload, repeated once per file (contract, part 4). */
export const uploadField = 'files';

export interface RouteParameters {
  readonly id?: string;
  readonly name?: string;
  readonly path?: string;
}

/**
 * The path of an operation with its parameters percent-encoded, below the base URL.
 * `:path` is written in the given form; one that has no URL that reaches it (clients and proxies
 * normalise empty, `.` and `..` segments away) throws a RangeError: callers ask
 * {@link isRequestablePath} first. A missing parameter is a programming error and throws too.
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
 * False for paths that no URL can address: empty ones, those with empty, `.` or `..` segments, and
 * those with half of a surrogate pair, which would reach the file of another name.
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

/** An id of `.` or `..` would be normalised away by the URL parser; encoded dots are too, so it is refused. */
function encodeSegment(segment: string): string {
  if (segment === '' || segment === '.' || segment === '..') {
    throw new RangeError('a path segment cannot be empty, "." or ".."');
  }
  return encodeURIComponent(segment.toWellFormed());
}

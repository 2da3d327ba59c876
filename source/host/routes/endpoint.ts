import { type OperationName, operations } from '../../contract/routes.ts';

/** Content type of responses that are serialised before they reach the router. */
export const jsonContentType = 'application/json; charset=utf-8';

/**
 * Returns the method and URL pattern of an operation for the router. `:path` becomes a wildcard,
 * which matches plain and encoded slashes (`%2F`) and is decoded once.
 */
export function operationRoute(operation: OperationName) {
  const { method, path } = operations[operation];
  return { method, url: path.replace(':path', '*') };
}

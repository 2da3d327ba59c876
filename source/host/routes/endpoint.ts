import { type OperationName, operations } from '../../contract/routes.ts';

/** Type of an answer that is JSON as it is sent. */
export const json = 'application/json; charset=utf-8';

/**
 * Method and URL of an operation for the router. `:path` becomes a wildcard, which takes slashes
 * as they are and encoded ones (`%2F`) alike and decodes once.
 */
export function endpoint(operation: OperationName) {
  const { method, path } = operations[operation];
  return { method, url: path.replace(':path', '*') };
}

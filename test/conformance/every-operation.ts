import { formOf } from '../host/support/temporary-host.ts';
import { type OperationName, operations } from '../../source/contract/routes.ts';
import type { CallOptions } from './caller.ts';
import { inSeconds } from './giving.ts';
import { idle, type MadeDeployment, definitionOf } from './service.ts';

/** The 15 HTTP operations. */
export const everyOperation = Object.keys(operations) as readonly OperationName[];

/** Operations with a deployment id. */
export const ofDeployments = everyOperation.filter(
  (name) => /s\/:id/.test(operations[name].path) && name !== 'revokeGrant',
);

/** Returns a valid request for an operation on this deployment and its file `a.txt`. */
export function requestFor(
  operation: OperationName,
  { id, names }: Pick<MadeDeployment, 'id' | 'names'>,
  grantee: string,
): CallOptions {
  const bodies: Partial<Record<OperationName, CallOptions>> = {
    createDeployment: { json: { sdl: definitionOf({ web: idle }) } },
    uploadFiles: { form: formOf({ 'b.txt': 'text' }) },
    updateFile: { json: { content: 'changed' } },
    renameFile: { json: { oldPath: 'a.txt', newPath: 'c.txt' } },
    createGrant: { json: { grantee, limit: 1, expires_at: inSeconds(600) } },
  };
  return { id, name: names[0] ?? '', path: 'a.txt', ...bodies[operation] };
}

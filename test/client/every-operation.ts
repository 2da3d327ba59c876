import type { Client } from '../../source/client/client.ts';
import type { RequestName, Result } from '../../source/client/http/errors.ts';
import { type OperationName, operations } from '../../source/contract/routes.ts';
import { lineHandlers } from '../servers/log-frames.ts';

/** The 15 HTTP operations and the stream. */
export const everyOperation: readonly RequestName[] = [
  ...(Object.keys(operations) as OperationName[]),
  'streamLogs',
];

/** Returns the contract's name of an operation. */
export function titleOf(operation: RequestName): string {
  return operation === 'streamLogs' ? 'stream logs' : operations[operation].title;
}

export function isWrite(operation: RequestName): boolean {
  return operation !== 'streamLogs' && operations[operation].method !== 'GET';
}

/** Operations whose answer carries no value. */
export const silentOperations: ReadonlySet<RequestName> = new Set([
  'closeDeployment',
  'restartDeployment',
  'uploadFiles',
  'updateFile',
  'renameFile',
  'deleteFile',
  'revokeGrant',
]);

/** Runs an operation on the deployment `id`, its service `web` and its file `app.yaml`. */
export function ask(client: Client, operation: RequestName, id: string): Promise<Result<unknown>> {
  const { deployments, files, logs, grants } = client;
  const bytes = Buffer.from('text');
  const request = { grantee: '0xother', limit: '1', expires_at: '2100-01-01T00:00:00.000Z' };
  const calls: Record<OperationName, () => Promise<Result<unknown>>> = {
    listDeployments: () => deployments.list(),
    createDeployment: () => deployments.create('services: {}'),
    getDeployment: () => deployments.get(id),
    closeDeployment: () => deployments.close(id),
    restartDeployment: () => deployments.restart(id),
    uploadFiles: () => files.upload(id, 'web', [{ path: 'app.yaml', source: { bytes } }]),
    listFiles: () => files.list(id, 'web'),
    getFile: () => files.get(id, 'web', 'app.yaml'),
    updateFile: () => files.update(id, 'web', 'app.yaml', 'text'),
    renameFile: () => files.rename(id, 'web', 'app.yaml', 'new.yaml'),
    deleteFile: () => files.delete(id, 'web', 'app.yaml'),
    fetchLogs: () => logs.fetch(id, {}),
    createGrant: () => grants.create(request),
    listGrants: () => grants.list(),
    revokeGrant: () => grants.revoke(id),
  };
  return operation === 'streamLogs' ? streamEnd(client, id) : calls[operation]();
}

/** Resolves with the first line of a stream, or with the error that closes it. */
function streamEnd({ logs }: Client, id: string): Promise<Result<unknown>> {
  return new Promise((resolve) => {
    const stream = logs.stream(
      id,
      lineHandlers({
        onOpen() {},
        onLine(line) {
          stream.close();
          resolve({ ok: true, value: line });
        },
        onClose: (error) => resolve({ ok: false, error }),
      }),
    );
  });
}

import type { DeploymentsClient } from '../../client/deployments.ts';
import { describeWrite, type RecordWrite } from '../history/record-writes.ts';

/** Returns a client that records each write; `nameOf` returns the current name of a deployment. */
export function recordDeploymentWrites(
  deployments: DeploymentsClient,
  record: RecordWrite,
  nameOf: (id: string) => string,
): DeploymentsClient {
  return {
    ...deployments,
    create: (sdl) =>
      record(
        describeWrite('createDeployment', 'a new deployment', {}, Buffer.byteLength(sdl)),
        () => deployments.create(sdl),
        (result) => {
          if (!result.ok) return {};
          const { id, name = '' } = result.value.value;
          return { subject: name.trim() === '' ? id : `${name} ${id}` };
        },
      ),
    close: (id) =>
      record(describeWrite('closeDeployment', nameOf(id), { id }), () => deployments.close(id)),
    restart: (id) =>
      record(describeWrite('restartDeployment', nameOf(id), { id }), () => deployments.restart(id)),
  };
}

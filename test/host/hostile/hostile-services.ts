import { expect } from 'vitest';
import { waitFor } from '../../support/wait-for.ts';
import { deploy, readLines } from '../support/bodies.ts';
import { type Caller, type SdlService, sdlOf } from '../support/temporary-host.ts';
import type { Orders } from './service/hostile.ts';

/** Returns the environment entry that identifies the processes of the hostile service. */
export function entryOf(orders: Orders): string {
  return `HOSTILE=${JSON.stringify(orders)}`;
}

/** Returns the definition of the hostile service. */
export function hostileService(program: string, orders: Orders): SdlService {
  return {
    command: ['node', '--input-type=module', '-e'],
    args: [program],
    env: [entryOf(orders)],
  };
}

/** Deploys a service, and resolves with its deployment's id. */
export async function deployService(caller: Caller, service: SdlService): Promise<string> {
  const { id } = await deploy(caller, sdlOf({ web: service }));
  return id;
}

/** Waits for a log line of a deployment, and resolves with all lines. */
export async function linesWith(
  caller: Caller,
  id: string,
  line: string,
  times = 1,
): Promise<readonly string[]> {
  return await waitFor(async () => {
    const lines = await readLines(caller, id);
    expect(lines.filter((each) => each === line).length).toBeGreaterThanOrEqual(times);
    return lines;
  });
}

/** Closes a deployment and waits until its service has stopped. */
export async function close(caller: Caller, id: string): Promise<void> {
  expect((await caller.call('closeDeployment', { id })).status).toBe(200);
  await linesWith(caller, id, 'stopped');
}

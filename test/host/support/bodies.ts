import type { DeploymentStatus } from '../../../source/host/supervisor/deployment-status.ts';
import type { LogMessage } from '../../../source/contract/logs.ts';
import type { Answer, Caller } from './temporary-host.ts';

/** Creates a deployment. Returns it as in the response. */
export async function deploy(caller: Caller, sdl: string): Promise<DeploymentStatus> {
  return deploymentIn(await caller.call('createDeployment', { json: { sdl } }));
}

export function deploymentIn(answer: Answer): DeploymentStatus {
  return fieldOf(answer, 'deployment') as DeploymentStatus;
}

export async function readDeployment(caller: Caller, id: string): Promise<DeploymentStatus> {
  return deploymentIn(await caller.call('getDeployment', { id }));
}

export interface ReadLog extends LogMessage {
  readonly id: number;
}

/** Returns the log lines of a deployment, oldest first. */
export async function readLogs(
  caller: Caller,
  id: string,
  query: Readonly<Record<string, string | number>> = {},
): Promise<readonly ReadLog[]> {
  const answer = await caller.call('fetchLogs', { id, query: { limit: 10_000, ...query } });
  return (fieldOf(answer, 'logs') as readonly ReadLog[]).toReversed();
}

/** Returns the texts of a deployment's log lines, oldest first. */
export async function readLines(
  caller: Caller,
  id: string,
  query: Readonly<Record<string, string | number>> = {},
): Promise<readonly string[]> {
  return (await readLogs(caller, id, query)).map((line) => line.logLine);
}

/** Returns a field of a successful response's envelope. */
export function fieldOf(answer: Answer, field: string): unknown {
  const body = answer.body as Readonly<Record<string, unknown>>;
  if (body['success'] !== true) throw new Error(`not a success: ${JSON.stringify(body)}`);
  return body[field];
}

/** Returns the status and the fields of an error response. */
export function errorIn({ status, body }: Answer) {
  const { success, error } = body as {
    readonly success: boolean;
    readonly error: { readonly code: string; readonly message: string; readonly details: unknown };
  };
  return { status, success, ...error };
}

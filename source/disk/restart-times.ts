/** The restarts that were requested from this machine, for services that tell none. */
import type { Client } from '../client/client.ts';
import { createStateEntry } from './state-entry.ts';

export interface RestartTimes {
  /** Returns the times of the last accepted restarts of a deployment, oldest first, ms since the epoch. */
  read(deploymentId: string): readonly number[];
  /** Resolves when the time is on disk, as far as that is possible. */
  add(deploymentId: string, at: number): Promise<void>;
}

/** Restarts of a deployment, and deployments of a service, whose times are kept. */
const mostTimes = 5;
const mostDeployments = 200;

/** Stores the times in `restart-times.json` of the state folder, by service and deployment. */
export function createRestartTimes(stateFolder: string, service: string): RestartTimes {
  const entry = createStateEntry(stateFolder, 'restart-times.json', service);
  const readAll = (): Map<string, unknown> => {
    const stored = entry.read();
    return new Map(typeof stored === 'object' && stored !== null ? Object.entries(stored) : []);
  };
  const timesOf = (value: unknown): readonly number[] =>
    Array.isArray(value) ? value.filter((at) => typeof at === 'number' && Number.isFinite(at)) : [];
  return {
    read: (id) => timesOf(readAll().get(id)),
    add(id, at) {
      const all = readAll();
      const times = [...timesOf(all.get(id)), at].slice(-mostTimes);
      all.delete(id);
      // The deployments that were restarted last are kept.
      const kept = [...all, [id, times] as const].slice(-mostDeployments);
      return entry.write(Object.fromEntries(kept));
    },
  };
}

/** Returns the client, which from now on writes down the restarts that the service accepts. */
export function withRestartTimes(client: Client, times: RestartTimes, now: () => number): Client {
  const { deployments } = client;
  return {
    ...client,
    deployments: {
      ...deployments,
      async restart(id) {
        const at = now() + client.clockOffset();
        const answer = await deployments.restart(id);
        if (answer.ok) await times.add(id, at);
        return answer;
      },
    },
  };
}

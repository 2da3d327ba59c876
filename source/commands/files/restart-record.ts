/** Keeps the restarts that a command has to send in the restart journal, until they are sent. */
import type { Deployment } from '../../contract/deployments.ts';
import { createRestartJournal } from '../../disk/restart-journal.ts';
import { deploymentLabel } from '../../store/deployments/deployments.ts';
import type { ChangedFile, PendingRestart } from '../../store/restarts/journal.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';

/** A file that a command writes on a service. */
export interface UnappliedFile {
  readonly place: { readonly deployment: Deployment; readonly service: string };
  readonly path: string;
}

/** The pending restarts of a command. The next console offers those that a killed command left. */
export interface RestartRecord {
  /** Resolves when files that are about to be written are in the journal beside those before. */
  expect(files: readonly UnappliedFile[]): Promise<void>;
  /**
   * Puts written files in place of those that were expected.
   * @param deadline time of the restart, ms since the epoch; undefined where none follows by itself.
   */
  written(files: readonly UnappliedFile[], deadline?: number): Promise<void>;
  /** Records that a restart failed. */
  failed(deployment: Deployment): Promise<void>;
  /** Resolves with the pending restarts of a deployment that earlier commands and consoles left. */
  earlier(deployment: Deployment): Promise<readonly PendingRestart[]>;
  /** Removes a deployment that has restarted; what earlier consoles left of it is applied as well. */
  restarted(deployment: Pick<Deployment, 'id'>): Promise<void>;
}

export function createRestartRecord({
  clock,
  folders,
  output,
  service,
}: ServiceCommandContext): RestartRecord {
  const journal = createRestartJournal(folders.state, service.stateKey);
  const entries = new Map<string, PendingRestart>();
  let isStored = false;
  let hasFailed = false;

  async function write(all: ReadonlyMap<string, PendingRestart>): Promise<void> {
    if (all.size === 0 && !isStored) return;
    isStored = true;
    const written = await journal.write([...all.values()]);
    if (!written.ok && !hasFailed) output.note(written.sentence);
    hasFailed = !written.ok;
  }

  function entriesWith(
    files: readonly UnappliedFile[],
    deadline: number | undefined,
  ): readonly PendingRestart[] {
    const found: PendingRestart[] = [];
    for (const [id, added] of Map.groupBy(files, ({ place }) => place.deployment.id)) {
      const [first] = added;
      if (first === undefined) continue;
      const { files: earlier = [], since = clock.now() } = entries.get(id) ?? {};
      const name = deploymentLabel(first.place.deployment);
      const common = { deploymentId: id, name, files: withFiles(earlier, added), since };
      found.push(
        deadline === undefined
          ? { ...common, state: 'unapplied' }
          : { ...common, state: 'counting', deadline },
      );
    }
    return found;
  }

  return {
    expect: (files) =>
      write(new Map([...entries.values(), ...entriesWith(files, undefined)].map(byDeployment))),
    async written(files, deadline) {
      for (const entry of entriesWith(files, deadline)) entries.set(entry.deploymentId, entry);
      await write(entries);
    },
    async failed({ id }) {
      const entry = entries.get(id);
      if (entry === undefined) return;
      const { deadline: _, ...rest } = entry;
      entries.set(id, { ...rest, state: 'failed' });
      await write(entries);
    },
    earlier: ({ id }) => journal.find(id),
    async restarted({ id }) {
      entries.delete(id);
      await write(entries);
      await journal.drop(id);
    },
  };
}

function byDeployment(entry: PendingRestart): readonly [string, PendingRestart] {
  return [entry.deploymentId, entry];
}

/** Returns files with others that were written, each once. */
function withFiles(
  files: readonly ChangedFile[],
  added: readonly UnappliedFile[],
): readonly ChangedFile[] {
  const all = [...files, ...added.map(({ place: { service }, path }) => ({ service, path }))];
  return [
    ...new Map(all.map((file) => [JSON.stringify([file.service, file.path]), file])).values(),
  ];
}

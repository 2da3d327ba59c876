import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { backUp } from '../../source/host/backup/back-up.ts';
import { restoreBackup } from '../../source/host/backup/restore-backup.ts';
import type { Overseer } from './host-clients.ts';
import type { FileClient } from './host-files.ts';
import { judgeTree, type Tree } from './host-judge.ts';
import { countIn } from './host-volumes.ts';
import { engineVolumesOf } from '../host/backup/test-engine-volumes.ts';

/** Ms within which a host writes logs again after a full disk, with time for a busy machine. */
const logRetryMs = 2_000;

interface Parts {
  readonly dataDir: string;
  readonly deployment: string;
  /** The clients of the deployment's services. */
  readonly files: Readonly<Record<string, FileClient>>;
  /** Returns the count that the volume of its first service had, at least. */
  readonly counted: () => number;
}

/** Someone who makes backups while others work, restores each and compares it. */
export class BackupClient {
  count = 0;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Makes a backup after so many ms. One that fails since the host was killed leaves no file. */
  async act(
    wait: number,
    {
      gone,
      isOver,
      mayLackSpace,
      onBroken,
    }: Pick<Overseer, 'gone' | 'isOver' | 'mayLackSpace' | 'onBroken'>,
  ) {
    await Promise.race([sleep(wait), gone()]);
    if (isOver()) return;
    const since = performance.now();
    const folder = mkdtempSync(`${this.#parts.dataDir}-backup-`);
    const observed = Object.entries(this.#parts.files).map(
      ([service, client]) => [service, client.observe()] as const,
    );
    try {
      const file = path.join(folder, 'backup');
      const options = {
        dataDir: this.#parts.dataDir,
        version: 'faults',
        machineFolder: folder,
        engineVolumesOf,
        hasVolumes: true,
      };
      const counted = this.#parts.counted();
      try {
        await backUp({ ...options, file });
      } catch (error) {
        if (!isOver() && !mayLackSpace(since - logRetryMs))
          onBroken(`a backup failed: ${String(error)}`);
        const left = readdirSync(folder);
        if (left.length > 0) onBroken(`a backup that failed left ${left.join(', ')}`);
        return;
      }
      const restored = path.join(folder, 'restored');
      await restoreBackup(file, restored);
      for (const [service, { trees }] of observed) {
        const found = treeOf(
          path.join(restored, 'deployments', this.#parts.deployment, 'staged', service),
        );
        const { broken } = judgeTree(`${service} in a backup`, trees, found);
        for (const sentence of broken) onBroken(sentence);
      }
      const inVolume = countIn(path.join(restored, 'deployments', this.#parts.deployment));
      if (!(inVolume >= counted)) {
        onBroken(`a volume in a backup is at run ${inVolume}, and was at run ${counted} before`);
      }
      this.count += 1;
    } finally {
      for (const [, { stop }] of observed) stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

function treeOf(root: string): Tree {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const file = path.join(entry.parentPath, entry.name);
        return [path.relative(root, file), readFileSync(file, 'utf8')];
      }),
  );
}

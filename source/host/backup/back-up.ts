import { realpathSync } from 'node:fs';
import path from 'node:path';
import { administer } from '../administration.ts';
import {
  type BackupOutcome,
  receiveBackup,
  type StreamedBackup,
} from '../control/backup-frames.ts';
import { controlSocketPath } from '../control/control-path.ts';
import { Files } from '../files/files.ts';
import { LogStore } from '../logs/store.ts';
import { loadHostIdentity } from '../records/identity.ts';
import type { Storage } from '../records/storage.ts';
import { assertUnused, savePrivateFile } from './backup-file.ts';
import { listDeployments } from './copied-records.ts';
import { writeBackup } from './write-backup.ts';

export interface BackUpOptions {
  readonly dataDir: string;
  /** File to create. */
  readonly file: string;
  /** Version of the program. */
  readonly version: string;
  /** Folder in which hosts that run as root keep what services of theirs must access. */
  readonly machineFolder: string;
  /** Interrupts the backup. */
  readonly signal?: AbortSignal | undefined;
}

/** A finished backup. */
export interface BackupSummary {
  /** Bytes of the file. */
  readonly size: number;
  /** Number of files of services that couldn't be read. */
  readonly skipped: number;
}

/**
 * Backs up a data folder to a file, whether or not a host runs on the folder. Throws, and leaves no
 * file, when that fails or the file exists.
 */
export async function backUp(options: BackUpOptions): Promise<BackupSummary> {
  const { dataDir, file, signal } = options;
  await assertUnused(file);
  return await administer(
    dataDir,
    () => saveFromHost(controlSocketPath(dataDir), file, signal),
    (storage) => saveFromFolder(options, storage),
  );
}

/** Resolves with undefined when the host has ended meanwhile. */
async function saveFromHost(
  socket: string,
  file: string,
  signal: AbortSignal | undefined,
): Promise<BackupSummary | undefined> {
  const received = receiveBackup(socket, signal);
  let outcome: BackupOutcome | undefined;
  async function* bytes() {
    outcome = yield* received;
  }
  const hostEnded = new Error('the host ended');
  try {
    const size = await savePrivateFile(file, bytes(), () => {
      if (outcome === undefined) throw hostEnded;
      if (!outcome.ok) throw new Error(outcome.message);
    });
    return { size, skipped: outcome?.ok === true ? outcome.skipped : 0 };
  } catch (error) {
    if (error === hostEnded) return undefined;
    throw error;
  }
}

async function saveFromFolder(
  { dataDir, file, version, machineFolder, signal }: BackUpOptions,
  storage: Storage,
): Promise<BackupSummary> {
  const folder = realpathSync(dataDir);
  const logs = new LogStore(path.join(folder, 'logs.db'));
  try {
    const runs = path.join(machineFolder, 'runs', loadHostIdentity(storage, folder));
    const files = new Files(folder, undefined, { folder: runs, isUsed: false });
    // A killed host may have placed a part of an upload.
    for (const { id } of listDeployments(storage)) await files.completeUploads(id);
    const backup: StreamedBackup = writeBackup({
      dataDir: folder,
      version,
      snapshots: files.snapshots,
      copyRecords: (copy) => storage.copyTo(copy),
      copyLogs: (copy) => logs.copyTo(copy),
    });
    const size = await savePrivateFile(file, backup.bytes, () => signal?.throwIfAborted());
    return { size, skipped: backup.skipped() };
  } finally {
    logs.close();
  }
}

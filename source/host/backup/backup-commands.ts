import type { HostOutput } from '../host-output.ts';
import { defaultMachineFolder } from '../isolation/open-isolation.ts';
import { backUp } from './back-up.ts';
import type { EngineVolumeSource } from './engine-volumes.ts';
import { restoreBackup } from './restore-backup.ts';

export interface RestoreCommand {
  readonly data: string;
  /** The archive. */
  readonly file: string;
}

export interface BackupCommand extends RestoreCommand {
  /** Version of the program. */
  readonly version: string;
  /** True for a backup with volumes. */
  readonly hasVolumes: boolean;
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Runs `hostdeck host backup FILE`. Resolves with the exit code; throws when there is no backup. */
export async function runBackup(
  command: BackupCommand,
  output: HostOutput,
  engineVolumesOf: (identity: string) => EngineVolumeSource,
): Promise<number> {
  const { data: dataDir, file, version, hasVolumes } = command;
  const controller = new AbortController();
  const abort = () => {
    controller.abort(new Error('The backup was interrupted.'));
  };
  for (const name of signals) process.on(name, abort);
  try {
    const { signal } = controller;
    const machineFolder = defaultMachineFolder;
    const options = { dataDir, file, version, machineFolder, hasVolumes, engineVolumesOf, signal };
    const { size, skipped, withoutVolumes, withoutEngineVolumes, engineFailure } =
      await backUp(options);
    output.print(`Backed up ${dataDir} to ${file} (${formatSize(size)}).`);
    if (skipped > 0) {
      output.printNote(
        `${skipped} entries that services created can't be read; they are not in it.`,
      );
    }
    if (hasVolumes) {
      output.printNote('Any volumes are in it as after a crash: services wrote to them meanwhile.');
    }
    if (withoutVolumes > 0) {
      output.printNote(
        `It lacks the volumes of ${countDeployments(withoutVolumes)}. Add them with --volumes.`,
      );
    }
    if (withoutEngineVolumes > 0) {
      output.printNote(
        `It lacks volumes of containers of ${countDeployments(withoutEngineVolumes)}` +
          `${engineFailure === undefined ? '' : `: ${engineFailure}`}. Export them from the engine.`,
      );
    }
    output.printNote('It has all definitions and files, also secrets in them: keep it private.');
    return 0;
  } finally {
    for (const name of signals) process.off(name, abort);
  }
}

/** Runs `hostdeck host restore FILE`. Resolves with the exit code; throws when nothing is restored. */
export async function runRestore(command: RestoreCommand, output: HostOutput): Promise<number> {
  const { data, file } = command;
  const { createdAt } = await restoreBackup(file, data);
  output.print(`Restored the backup of ${createdAt} to ${data}.`);
  output.printNote(`Deployments start with the host: hostdeck host --data ${data}`);
  return 0;
}

function countDeployments(count: number): string {
  return count === 1 ? '1 deployment' : `${count} deployments`;
}

function formatSize(bytes: number): string {
  const mebibytes = bytes / 1024 / 1024;
  return mebibytes < 1 ? `${Math.ceil(bytes / 1024)} KiB` : `${mebibytes.toFixed(1)} MiB`;
}

import { readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder, writeTemporaryFile } from './disk.ts';
import { undefinedIfMissing } from './missing.ts';
import type { ReceivedFile } from './placing.ts';

const planName = 'plan.json';

/** A placement of received files that has begun. */
interface Plan {
  readonly service: string;
  readonly files: readonly ReceivedFile[];
}

/** A plan as it is stored; `temporary` is the name of the file in the folder. */
interface StoredPlan {
  readonly service: string;
  readonly files: readonly { readonly path: string; readonly temporary: string }[];
}

/**
 * Records which files are about to be moved out of a folder of received files, so that the next
 * host can complete the placement when this one is killed.
 */
export async function writePlan(
  folder: string,
  service: string,
  files: readonly ReceivedFile[],
): Promise<void> {
  const plan: StoredPlan = {
    service,
    files: files.map((file) => ({ path: file.path, temporary: path.basename(file.temporaryPath) })),
  };
  const text = JSON.stringify(plan);
  const temporary = await writeTemporaryFile(folder, (handle) => handle.writeFile(text));
  await rename(temporary, path.join(folder, planName));
  await syncFolder(folder);
}

/** Reads the plan that a killed host has left in a folder; undefined when there is none. */
export async function readPlan(folder: string): Promise<Plan | undefined> {
  const text = await undefinedIfMissing(readFile(path.join(folder, planName), 'utf8'));
  if (text === undefined) return undefined;
  const { service, files } = JSON.parse(text) as StoredPlan;
  return {
    service,
    files: files.map((file) => ({
      path: file.path,
      temporaryPath: path.join(folder, path.basename(file.temporary)),
    })),
  };
}

/** Removes a plan, so that no host completes it. */
export async function removePlan(folder: string): Promise<void> {
  await rm(path.join(folder, planName), { force: true });
  await syncFolder(folder);
}

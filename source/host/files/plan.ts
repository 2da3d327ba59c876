import { readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder, writeTemporary } from './disk.ts';
import { unlessMissing } from './missing.ts';
import type { ArrivedFile } from './placing.ts';

const planName = 'plan.json';

/** A placement of received files that has begun. */
interface Plan {
  readonly service: string;
  readonly files: readonly ArrivedFile[];
}

/**
 * Records which files are about to be moved out of a folder of received files, so that the next
 * host can complete the placement when this one is killed.
 */
export async function writePlan(
  folder: string,
  service: string,
  files: readonly ArrivedFile[],
): Promise<void> {
  const plan: Plan = {
    service,
    files: files.map((file) => ({ path: file.path, temporary: path.basename(file.temporary) })),
  };
  const text = JSON.stringify(plan);
  const temporary = await writeTemporary(folder, (handle) => handle.writeFile(text));
  await rename(temporary, path.join(folder, planName));
  await syncFolder(folder);
}

/** Reads the plan that a killed host has left in a folder; undefined when there is none. */
export async function readPlan(folder: string): Promise<Plan | undefined> {
  const text = await unlessMissing(readFile(path.join(folder, planName), 'utf8'));
  if (text === undefined) return undefined;
  const { service, files } = JSON.parse(text) as Plan;
  return {
    service,
    files: files.map((file) => ({
      path: file.path,
      temporary: path.join(folder, path.basename(file.temporary)),
    })),
  };
}

/** Removes a plan, so that no host completes it. */
export async function dropPlan(folder: string): Promise<void> {
  await rm(path.join(folder, planName), { force: true });
  await syncFolder(folder);
}

import { readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder, writeTemporary } from './disk.ts';
import { unlessMissing } from './missing.ts';
import type { ArrivedFile } from './placing.ts';

const name = 'plan.json';

interface Plan {
  readonly service: string;
  readonly files: readonly ArrivedFile[];
}

/**
 * Notes what is about to be moved out of a folder of arrived files, so that the next host can finish
 * it when this one is killed on the way.
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
  const written = await writeTemporary(folder, (handle) => handle.writeFile(text));
  await rename(written, path.join(folder, name));
  await syncFolder(folder);
}

/** What a killed host had begun to move out of a folder, undefined for nothing. */
export async function readPlan(folder: string): Promise<Plan | undefined> {
  const text = await unlessMissing(readFile(path.join(folder, name), 'utf8'));
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

/** From here on nothing of the plan is to be finished any more. */
export async function dropPlan(folder: string): Promise<void> {
  await rm(path.join(folder, name), { force: true });
  await syncFolder(folder);
}

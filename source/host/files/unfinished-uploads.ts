import { existsSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from '../refusal.ts';
import { readPlan } from './plan.ts';
import { FileTree } from './tree.ts';
import { removeTreeBelow } from './tree-removal.ts';
import { FolderPath, openFolderPath } from './way.ts';

/**
 * Completes the placement of received files that a killed host began; removes incomplete uploads.
 *
 * @param root folder of all deployments.
 * @param stagedOf returns the folder of a service's staged files.
 */
export async function completeUnfinishedUploads(
  root: string,
  deployment: string,
  stagedOf: (service: string) => string,
): Promise<void> {
  const arriving = path.join(root, deployment, 'arriving');
  for (const upload of await folderNames(root, [deployment, 'arriving']))
    await completePlacement(path.join(arriving, upload), stagedOf);
  await removeTreeBelow(root, [deployment], 'arriving');
}

async function completePlacement(
  folder: string,
  stagedOf: (service: string) => string,
): Promise<void> {
  const plan = await readPlan(folder);
  if (plan === undefined) return;
  const { service, files } = plan;
  const remaining = files.filter(({ temporaryPath }) => existsSync(temporaryPath));
  try {
    await new FileTree(stagedOf(service)).place(remaining);
  } catch (error) {
    // A service has created an obstacle since; the upload's client never got an answer.
    if (!(error instanceof Refusal)) throw error;
  }
}

/** Resolves with the entries of a folder below the root; none when the folder is missing. */
async function folderNames(root: string, folders: readonly string[]): Promise<readonly string[]> {
  const opened = await openFolderPath(root, folders);
  if (!(opened instanceof FolderPath)) return [];
  await using folderPath = opened;
  return (await folderPath.end.names()).map(({ name }) => name.toString());
}

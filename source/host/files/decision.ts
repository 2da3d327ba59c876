import { readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder, writeTemporary } from './disk.ts';
import type { ArrivedFile } from './tree.ts';

/** Files of one request that all have arrived, and the service that they are to be moved into. */
export interface Decision {
  readonly service: string;
  readonly files: readonly ArrivedFile[];
}

const name = 'decided.json';

/**
 * Notes in the folder in which files arrived that they are to be moved, all of them. From then on a
 * host that was killed in the middle moves the rest at its next start. `files` has each path once.
 */
export async function keepDecision(folder: string, decision: Decision): Promise<void> {
  const written = await writeTemporary(folder, (handle) =>
    handle.writeFile(JSON.stringify(decision)),
  );
  await rename(written, path.join(folder, name));
  await syncFolder(folder);
}

/** What was decided in a folder; undefined where it did not come to that. */
export async function readDecision(folder: string): Promise<Decision | undefined> {
  try {
    return JSON.parse(await readFile(path.join(folder, name), 'utf8')) as Decision;
  } catch {
    return undefined;
  }
}

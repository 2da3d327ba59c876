import { readdirSync } from 'node:fs';
import path from 'node:path';
import { runsOf } from '../host/support/run-folders.ts';

/** Returns sentences on unfinished writes, and on trees on the disk that do not run any more. */
export function leftoversIn(dataDir: string, closed: ReadonlySet<string>): readonly string[] {
  const folder = path.join(dataDir, 'deployments');
  return readdirSync(folder).flatMap((id) => {
    const arriving = entriesOf(path.join(folder, id, 'arriving'));
    const generations = entriesOf(runsOf(dataDir, id));
    const extra = generations.slice(closed.has(id) ? 0 : 1);
    const unfinished = arriving.map((name) => `an unfinished write of ${id}: ${name}`);
    return unfinished.concat(
      extra.map((name) => `a tree of ${id} that does not run: ${name} of ${generations.join()}`),
    );
  });
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

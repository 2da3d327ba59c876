import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, onTestFinished, type TestContext } from 'vitest';
import { fastFolder } from './fast-folder.ts';

/**
 * A folder that goes with the test; no link is on the way to it.
 * @param lifetime `file` for a folder that goes with the file of the tests; or the context of a test that
 * runs at the same time as others.
 */
export function temporaryFolder(lifetime?: TestContext | 'file'): string {
  const folder = realpathSync(mkdtempSync(path.join(fastFolder, 'hostdeck-test-')));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (lifetime === undefined) onTestFinished(remove);
  else if (lifetime === 'file') afterAll(remove);
  else lifetime.onTestFinished(remove);
  return folder;
}

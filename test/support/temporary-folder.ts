import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';

/**
 * A folder that goes with the test; no link is on the way to it.
 * @param context of a test that runs at the same time as others.
 */
export function temporaryFolder(context?: TestContext): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'hostdeck-test-')));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (context === undefined) onTestFinished(remove);
  else context.onTestFinished(remove);
  return folder;
}

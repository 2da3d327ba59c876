import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { waitFor } from '../../support/wait-for.ts';
import type { Caller } from '../support/temporary-host.ts';

/** Closes a deployment of a host with `keepClosedMs` 0, and waits until its files are removed. */
export async function closeForGood(dataDir: string, caller: Caller, id: string): Promise<void> {
  await caller.call('closeDeployment', { id });
  await waitFor(() => {
    expect(existsSync(path.join(dataDir, 'deployments', id))).toBe(false);
  });
}

import { expect } from 'vitest';
import { waitFor } from '../../support/wait-for.ts';
import { readDeployment } from './bodies.ts';
import type { Caller } from './temporary-host.ts';

/** Resolves when a deployment runs, since only then time costs. */
export async function waitUntilActive(caller: Caller, id: string): Promise<void> {
  await waitFor(async () => expect((await readDeployment(caller, id)).state).toBe('active'));
}

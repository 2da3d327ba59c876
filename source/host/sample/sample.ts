import type { Clock } from '../clock.ts';
import type { Grants } from '../grants.ts';
import type { Storage } from '../storage.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { webFiles } from './web.ts';
import { workerFiles } from './worker.ts';

const sdl = `# A deployment to look around in. Change its files and restart it, or close it.
version: "2.0"

name: sample

services:
  web:
    image: node:24
    command: ["node"]
    args: ["server.js"]
    env:
      - GREETING=Hello from the sample
    expose:
      - port: 8080
        as: 8080
        to:
          - global: true

  worker:
    image: node:24
    command: ["node"]
    args: ["worker.js"]
    env:
      - QUEUE=images

profiles:
  compute:
    web:
      resources:
        cpu:
          units: 0.25
        memory:
          size: 128Mi
        storage:
          size: 256Mi
    worker:
      resources:
        cpu:
          units: 0.1
        memory:
          size: 128Mi
        storage:
          size: 256Mi

  placement:
    local:
      # Micro-units a block of 6 seconds, for each instance.
      pricing:
        web:
          denom: credits
          amount: 1200
        worker:
          denom: credits
          amount: 800

deployment:
  web:
    local:
      profile: web
      count: 1
  worker:
    local:
      profile: worker
      count: 1
`;

/** Wallets that exist for the sample grants only. */
const friend = '0x5a3c1f0e9b7d24c68e1a0f3b5d7c9e2a4b6d8f01';
const sponsor = '0x7e21b8c4d60f93a5527c1e8d4b0a6f39c5d2e817';

const day = 24 * 60 * 60 * 1000;
const unit = 10n ** 18n;

/**
 * At the first start of a data folder: a deployment that runs, a grant given and one received,
 * which pays for it.
 */
export async function makeSample(parts: {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly supervisor: Supervisor;
  readonly grants: Grants;
  readonly wallet: string;
}): Promise<void> {
  const { storage, clock, supervisor, grants, wallet } = parts;
  if (storage.readMeta('sample') !== undefined) return;
  const now = clock.now();
  storage.transaction(() => {
    const given = { grantor: wallet, grantee: friend, limit: 50n * unit };
    grants.insert({ ...given, expiresAt: now + 30 * day });
    const received = { grantor: sponsor, grantee: wallet, limit: 25n * unit };
    grants.insert({ ...received, expiresAt: now + 7 * day });
    storage.writeMeta('sample', 'made');
  });
  await supervisor.create(wallet, sdl, [...webFiles, ...workerFiles]);
}

import type { SdlDefinition } from '../../contract/sdl/definition.ts';
import { parseSdl } from '../../contract/sdl/parse.ts';
import type { HostClock } from '../clock.ts';
import type { Deployments } from '../deployments.ts';
import type { DiskSpace } from '../disk-space.ts';
import type { Grants } from '../grants.ts';
import type { Storage } from '../records/storage.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { webFiles } from './web.ts';
import { workerFiles } from './worker.ts';

const sdl = `# A deployment to look around in. Change its files and restart it, or close it.
version: "2.0"

name: sample

services:
  web:
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

/**
 * The sample of earlier versions, whose hosts ran its commands as processes although it named an
 * image. An image now always means a container.
 */
const sdlWithImages = sdl.replaceAll('    command:', '    image: node:24\n    command:');

/** Addresses used in the sample grants only. */
const friend = '0x5a3c1f0e9b7d24c68e1a0f3b5d7c9e2a4b6d8f01';
const sponsor = '0x7e21b8c4d60f93a5527c1e8d4b0a6f39c5d2e817';

const day = 24 * 60 * 60 * 1000;
const unit = 10n ** 18n;

/** Key of how far the sample is: `grants`, then `made`. */
const stepKey = 'sample';

interface SampleParts {
  readonly storage: Storage;
  readonly clock: HostClock;
  readonly deployments: Deployments;
  readonly supervisor: Supervisor;
  readonly grants: Grants;
  readonly space: DiskSpace;
  readonly wallet: string;
}

/**
 * Creates the sample at the first start of a data folder: a running deployment, a grant given, and
 * a grant received that pays for the deployment. A host for containers only creates just the grants;
 * one without free disk space leaves the sample, or what is missing of it, to a later start.
 */
export async function createSample(parts: SampleParts): Promise<void> {
  const { storage, clock, deployments, supervisor, grants, space, wallet } = parts;
  const done = storage.readMeta(stepKey);
  if ((done !== undefined && done !== 'grants') || space.describeShortage() !== undefined) return;
  const now = clock.now();
  if (done === undefined) {
    storage.transaction(() => {
      const sent = { grantor: wallet, grantee: friend, limit: 50n * unit };
      grants.insert({ ...sent, expiresAt: now + 30 * day });
      // Pays the sample until the grant expires: a limit that runs out within a day is an alert.
      const received = { grantor: sponsor, grantee: wallet, limit: 250n * unit };
      grants.insert({ ...received, expiresAt: now + 7 * day });
      storage.writeMeta(stepKey, 'grants');
    });
  }
  const isCreated = deployments.listOpen().some((record) => deployments.readSdl(record) === sdl);
  if (!isCreated && canRunSample(supervisor, wallet)) {
    await supervisor.create(wallet, sdl, [...webFiles, ...workerFiles]);
  }
  storage.writeMeta(stepKey, 'made');
}

/**
 * Rewrites stored samples of earlier versions to the current one, which needs no containers. A
 * sample with a changed definition stays as it is. Must be called before any deployment starts.
 */
export function migrateSample(deployments: Deployments, supervisor: Supervisor): void {
  for (const record of deployments.listOpen()) {
    if (deployments.readSdl(record) !== sdlWithImages) continue;
    if (canRunSample(supervisor, record.owner)) deployments.redefine(record.id, sdl, parseSample());
  }
}

function canRunSample(supervisor: Supervisor, owner: string): boolean {
  return supervisor.mayStart({ owner, services: parseSample().services });
}

function parseSample(): SdlDefinition {
  const parsed = parseSdl(sdl);
  if (!parsed.ok) throw new TypeError('the sample is not a valid definition');
  return parsed.definition;
}

import type { HostConfig } from '../../../source/host/engine/engine-api.ts';
import type { EngineClient } from '../../../source/host/engine/engine-client.ts';
import { EngineFinder } from '../../../source/host/engine/engine-finder.ts';
import { inspectImage } from '../../../source/host/engine/images.ts';
import { mountsOf, type SdlService, storageOf } from '../support/temporary-host.ts';

/** An image with only BusyBox, which continuous integration builds. */
export const image = 'localhost/hostdeck-busybox:1';

/** Resolves with the engine for container tests, or with the reason why there is none. */
export async function testEngine(): Promise<EngineClient | { readonly missing: string }> {
  const found = await new EngineFinder(process.env).find();
  if ('failure' in found) return { missing: found.failure };
  try {
    await inspectImage(found, image);
    return found;
  } catch {
    return { missing: `the engine on ${found.endpoint.address} has no image ${image}` };
  }
}

/** Writes the reason for skipping tests to the output. */
export function sayWhySkipped(missing: string): void {
  process.stderr.write(`Tests of containers are SKIPPED: ${missing}.\n`);
}

/** Returns an SDL of one service that runs a shell script in a container. */
export function containerSdl(
  script: string,
  more: {
    readonly image?: string;
    readonly port?: number;
    readonly resources?: object;
    readonly env?: readonly string[];
    readonly volumes?: SdlService['volumes'];
    readonly count?: number;
  } = {},
): string {
  const { port, resources = {}, env, volumes, count = 1 } = more;
  const storage = volumes === undefined ? {} : { storage: storageOf(volumes) };
  return JSON.stringify({
    version: '2.0',
    services: {
      web: {
        image: more.image ?? image,
        command: ['sh', '-c'],
        args: [script],
        env,
        params: mountsOf(volumes),
        expose: port === undefined ? undefined : [{ port, to: [{ global: true }] }],
      },
    },
    profiles: {
      compute: { web: { resources: { ...resources, ...storage } } },
      placement: { here: { pricing: { web: { denom: 'credits', amount: 0 } } } },
    },
    deployment: { web: { here: { profile: 'web', count } } },
  });
}

/** Resolves with the engine's complete description of a container. */
export async function inspected(
  engine: EngineClient,
  id = '',
): Promise<{
  readonly HostConfig: HostConfig;
  readonly Config: { readonly Env: readonly string[] };
}> {
  return (await engine.request('GET', `/containers/${id}/json`)) as Awaited<
    ReturnType<typeof inspected>
  >;
}

import type { HostConfig } from '../../../source/host/engine/engine-api.ts';
import type { EngineClient } from '../../../source/host/engine/engine-client.ts';
import { EngineFinder } from '../../../source/host/engine/engine-finder.ts';
import { inspectImage } from '../../../source/host/engine/images.ts';

/** An image of busybox alone, which the continuous integration builds. */
export const image = 'localhost/hostdeck-busybox:1';

/** The engine for the tests of containers, or why there is none. */
export async function testEngine(): Promise<EngineClient | { readonly missing: string }> {
  const found = await new EngineFinder(process.env).find();
  if ('failure' in found) return { missing: found.failure };
  try {
    await inspectImage(found, image);
    return found;
  } catch {
    return { missing: `the engine on ${found.place.address} has no image ${image}` };
  }
}

/** Says so that it is seen in the output why tests are not run. */
export function sayWhySkipped(missing: string): void {
  process.stderr.write(`Tests of containers are SKIPPED: ${missing}.\n`);
}

/** An SDL of one service that runs a shell script in a container. */
export function containerSdl(
  script: string,
  more: {
    readonly image?: string;
    readonly port?: number;
    readonly resources?: unknown;
    readonly env?: readonly string[];
  } = {},
): string {
  const { port, resources = {}, env } = more;
  return JSON.stringify({
    version: '2.0',
    services: {
      web: {
        image: more.image ?? image,
        command: ['sh', '-c'],
        args: [script],
        env,
        expose: port === undefined ? undefined : [{ port, to: [{ global: true }] }],
      },
    },
    profiles: {
      compute: { web: { resources } },
      placement: { here: { pricing: { web: { denom: 'credits', amount: 0 } } } },
    },
    deployment: { web: { here: { profile: 'web', count: 1 } } },
  });
}

/** The engine's whole answer about a container. */
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

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { request } from 'undici';
import { endpointText, type ServiceEndpoint } from '../../source/contract/deployments.ts';
import type { EngineClient } from '../../source/host/engine/engine-client.ts';
import type { EngineVolume } from '../../source/host/engine/engine-api.ts';
import { EngineFinder } from '../../source/host/engine/engine-finder.ts';
import { listEngineVolumes } from '../../source/host/engine/engine-volumes.ts';
import { listServices, listTasks } from '../../source/host/engine/swarm.ts';
import type { EngineService, EngineTask } from '../../source/host/engine/swarm-api.ts';
import type { Caller } from '../host/support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

/** The first numbers of the addresses of the bed. Its default is that of `bed.sh`. */
const net = process.env['HOSTDECK_BED_NET'] ?? '10.77.0';
/** Address of this machine that the nodes reach. */
export const machine = `${net}.253`;
const manager = `tcp://${net}.1:2375`;
/** Addresses of the nodes: of the manager, and of the worker. */
export const nodes = [`${net}.1`, `${net}.2`] as const;
const registry = `${net}.254:5000/hostdeck-test`;
const image = `${net}.254:5000/bed/node`;
const environment = { DOCKER_HOST: manager };

const found = await new EngineFinder(environment).find();
if ('failure' in found) {
  process.stderr.write('No bed of test/cluster/bed.sh answers: tests of a swarm are SKIPPED.\n');
}

/** True without a bed. */
export const isMissing = 'failure' in found;

/** The manager's engine, for tests that are not skipped. */
export const client = found as EngineClient;

/** Options of a host on the bed. */
export const onBed = {
  runtime: 'swarm',
  engineEnvironment: environment,
  registry,
  graceMs: 5000,
} as const;

/** Returns a definition of `web`, which runs `server.js` of its files. */
export function webSdl(count: number, more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    version: '2.0',
    services: {
      web: {
        image,
        command: ['node'],
        args: ['server.js'],
        expose: [{ port: 8080, to: [{ global: true }] }],
        ...more,
      },
    },
    profiles: {
      compute: { web: { resources: { cpu: { units: 0.1 }, memory: { size: '128Mi' } } } },
      placement: { here: { pricing: { web: { denom: 'credits', amount: 0 } } } },
    },
    deployment: { web: { here: { profile: 'web', count } } },
  });
}

/** Returns the definition with an own placement of `web` in each of these zones, with its count. */
export function inZones(sdl: string, zones: Readonly<Record<string, number>>): string {
  const definition = JSON.parse(sdl);
  const { pricing } = definition.profiles.placement.here;
  const map = <T>(value: (zone: string, count: number) => T) =>
    Object.fromEntries(Object.entries(zones).map(([zone, count]) => [zone, value(zone, count)]));
  definition.profiles.placement = map((zone) => ({ attributes: { zone }, pricing }));
  definition.deployment.web = map((_, count) => ({ profile: 'web', count }));
  return JSON.stringify(definition);
}

const labelOf = (deployment: string) => `hostdeck.deployment=${deployment}`;

/** Resolves with the tasks of a deployment that run and are to run. */
export async function runningTasks(deployment: string): Promise<readonly EngineTask[]> {
  const tasks = await listTasks(client, labelOf(deployment));
  return tasks.filter(({ state, desired }) => state === 'running' && desired === 'running');
}

/** Resolves with the engine's services of a deployment. */
export async function servicesOf(deployment: string): Promise<readonly EngineService[]> {
  return await listServices(client, labelOf(deployment));
}

/** Waits as `waitFor` does, and longer: engines take turns with all that they run. */
export async function waitForBed<T>(check: () => T | Promise<T>): Promise<T> {
  return await waitFor(check, { timeout: 150_000 });
}

/** Closes a deployment, and resolves when the engine has nothing of it any more. */
export async function close(owner: Caller, id: string): Promise<void> {
  await owner.call('closeDeployment', { id });
  await waitForBed(async () => {
    const left = await servicesOf(id);
    if (left.length > 0) throw new Error(`the engine has ${left.length} services of ${id}`);
  });
}

/** Resolves with the answers of all endpoints. */
export async function answers(
  endpoints: readonly ServiceEndpoint[] = [],
): Promise<readonly string[]> {
  return await Promise.all(
    endpoints.map(async (endpoint) => {
      const { body } = await request(`http://${endpointText(endpoint)}`);
      return await body.text();
    }),
  );
}

/** Changes a node, as `bed.sh` describes; {@link restoreBed} undoes it. */
export async function changeNode(
  change: 'cut' | 'drain' | 'heal' | 'kill' | 'start',
  node: number,
): Promise<void> {
  await changeBed(change, String(node));
}

/** Ends the registry. */
export async function stopRegistry(): Promise<void> {
  await changeBed('registry', 'stop');
}

/** Undoes all changes of nodes and the registry, and resolves when the nodes take tasks again. */
export async function restoreBed(): Promise<void> {
  await changeBed('restore');
}

async function changeBed(...words: readonly string[]): Promise<void> {
  const script = fileURLToPath(new URL('bed.sh', import.meta.url));
  await promisify(execFile)(script, words);
}

/** Resolves with the volumes of a deployment on all nodes. */
export async function volumesOf(deployment: string): Promise<readonly EngineVolume[]> {
  const volumes = nodes.map(async (node) => {
    const engine = await new EngineFinder({ DOCKER_HOST: `tcp://${node}:2375` }).find();
    if ('failure' in engine) throw new Error(engine.failure);
    return await listEngineVolumes(engine, labelOf(deployment));
  });
  return (await Promise.all(volumes)).flat();
}

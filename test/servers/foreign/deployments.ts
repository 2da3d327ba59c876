import { randomUUID } from 'node:crypto';
import { parse } from 'yaml';
import {
  cased,
  errorAnswer,
  type ForeignAnswer,
  jsonOf,
  listAnswer,
  oneAnswer,
  type Routes,
} from './answers.ts';
import type { ForeignOptions } from './options.ts';

export interface ForeignDeployment {
  readonly id: string;
  readonly title: string;
  status: 'running' | 'rolling' | 'stopped' | 'terminated';
  readonly services: readonly string[];
  readonly createdAt: string;
  restartedAt: string | undefined;
  readonly owner: string;
  readonly sdl: string;
  /** Stored files by service and path. */
  readonly files: ReadonlyMap<string, Map<string, Buffer>>;
  /** Number of restarts. */
  restarts: number;
  /** The record that is served in place of the fields above. */
  readonly record?: object;
}

export interface ForeignDeployments {
  readonly routes: Routes;
  readonly all: Map<string, ForeignDeployment>;
  /** Creates a deployment from an SDL; throws without services. */
  create(sdl: string, owner: string): ForeignDeployment;
}

/** Duration of a restart in ms. */
const restartTime = 30;

/** @param log writes a log line of a service. */
export function foreignDeployments(
  options: ForeignOptions,
  log: (id: string, service: string, line: string) => void,
): ForeignDeployments {
  const all = new Map<string, ForeignDeployment>();
  let count = 0;

  const create = (sdl: string, owner: string): ForeignDeployment => {
    const { services, name } = parse(sdl) as { services: Record<string, unknown>; name?: string };
    const names = Object.keys(services);
    if (names.length === 0) throw new Error('it names no services');
    count += 1;
    const deployment: ForeignDeployment = {
      id: `${randomUUID()}-${4700 + count}`,
      title: name ?? `deployment ${count}`,
      status: 'running',
      services: names,
      createdAt: new Date(options.now()).toISOString(),
      restartedAt: undefined,
      owner,
      sdl,
      files: new Map(names.map((service) => [service, new Map()])),
      restarts: 0,
    };
    all.set(deployment.id, deployment);
    for (const service of names) log(deployment.id, service, 'started');
    return deployment;
  };

  const listedRecords = (): readonly unknown[] => {
    const shown = [...all.values()].slice(0, options.largestList);
    return options.deployments === 'ids'
      ? shown.map(({ id }) => id)
      : shown.map((each) => toRecord(each, 'listed'));
  };

  const toRecord = (
    deployment: ForeignDeployment,
    where: 'listed' | 'single' = 'single',
  ): object => {
    if (deployment.record !== undefined) return deployment.record;
    if (options.deployments === 'ids') return { id: deployment.id };
    const { id, title, status, createdAt, restartedAt, owner, services, restarts } = deployment;
    const sdl = [where, 'listed'].includes(options.sdl) ? deployment.sdl : undefined;
    const objects = services.map((name) =>
      cased(options, { name, status, restartCount: restarts }),
    );
    const listed = {
      names: services,
      objects,
      keyed: Object.fromEntries(services.map((name, index) => [name, objects[index]])),
      absent: undefined,
    }[options.services];
    const record = {
      id,
      name: title,
      status,
      createdAt,
      restartedAt,
      owner,
      sdl,
      services: listed,
    };
    return cased(options, { ...record, region: 'eu-foreign-1' });
  };

  const finishRestart = (deployment: ForeignDeployment): void => {
    if (deployment.status === 'stopped') return;
    deployment.status = 'running';
    deployment.restarts += 1;
    deployment.restartedAt = new Date(options.now()).toISOString();
    for (const service of deployment.services) log(deployment.id, service, 'restarted');
  };

  const act = (deployment: ForeignDeployment, action: string): ForeignAnswer => {
    if (deployment.status === 'stopped') return errorAnswer(options, 409, 'deployment is stopped');
    if (action === 'close') {
      deployment.status = 'stopped';
      return { status: 204 };
    }
    deployment.status = 'rolling';
    setTimeout(() => finishRestart(deployment), restartTime).unref();
    return {
      status: 202,
      body: Buffer.from('accepted'),
      headers: { 'content-type': 'text/plain' },
    };
  };

  const routes: Routes = async (request) => {
    const { method, path } = request;
    if (path === '/api/v1/deployments') {
      if (method === 'GET') return listAnswer(options, 'deployments', listedRecords(), all.size);
      if (method !== 'POST') return undefined;
      try {
        const sdl = jsonOf(request)?.['sdl'];
        const deployment = create(typeof sdl === 'string' ? sdl : '', request.wallet);
        return oneAnswer(options, 201, 'deployment', toRecord(deployment));
      } catch (error) {
        return errorAnswer(options, 422, `sdl: ${(error as Error).message}`);
      }
    }
    const match = /^\/api\/v1\/deployments\/([^/]+)(?:\/(close|restart))?$/.exec(path);
    if (match === null) return undefined;
    const [, id = '', action] = match;
    const deployment = all.get(decodeURIComponent(id));
    if (deployment === undefined) return errorAnswer(options, 404, 'no such deployment');
    if (action === undefined) {
      return method === 'GET'
        ? oneAnswer(options, 200, 'deployment', toRecord(deployment))
        : undefined;
    }
    return method === 'POST' ? act(deployment, action) : undefined;
  };

  return { routes, all, create };
}

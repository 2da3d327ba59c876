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
  status: 'running' | 'rolling' | 'stopped';
  readonly services: readonly string[];
  readonly createdAt: string;
  restartedAt: string | undefined;
  readonly owner: string;
  readonly sdl: string;
  /** Files by service and path, as they are stored. */
  readonly files: ReadonlyMap<string, Map<string, Buffer>>;
  /** Times it was restarted. */
  restarts: number;
}

export interface ForeignDeployments {
  readonly routes: Routes;
  readonly all: Map<string, ForeignDeployment>;
  /** Makes a deployment from an SDL; throws when it names no services. */
  create(sdl: string, owner: string): ForeignDeployment;
}

/** How long a restart takes, ms. */
const restartTime = 30;

/** @param say writes a log line of a service. */
export function foreignDeployments(
  options: ForeignOptions,
  say: (id: string, service: string, line: string) => void,
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
      createdAt: new Date(Date.now() + options.clockAhead).toISOString(),
      restartedAt: undefined,
      owner,
      sdl,
      files: new Map(names.map((service) => [service, new Map()])),
      restarts: 0,
    };
    all.set(deployment.id, deployment);
    for (const service of names) say(deployment.id, service, 'started');
    return deployment;
  };

  const shown = (deployment: ForeignDeployment, where: 'listed' | 'single' = 'single'): object => {
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

  const restarted = (deployment: ForeignDeployment): void => {
    if (deployment.status === 'stopped') return;
    deployment.status = 'running';
    deployment.restarts += 1;
    deployment.restartedAt = new Date(Date.now() + options.clockAhead).toISOString();
    for (const service of deployment.services) say(deployment.id, service, 'restarted');
  };

  const act = (deployment: ForeignDeployment, action: string): ForeignAnswer => {
    if (deployment.status === 'stopped') return errorAnswer(options, 409, 'deployment is stopped');
    if (action === 'close') {
      deployment.status = 'stopped';
      return { status: 204 };
    }
    deployment.status = 'rolling';
    setTimeout(() => restarted(deployment), restartTime).unref();
    return {
      status: 202,
      body: Buffer.from('accepted'),
      headers: { 'content-type': 'text/plain' },
    };
  };

  const routes: Routes = async (request) => {
    const { method, path } = request;
    if (path === '/api/v1/deployments') {
      if (method === 'GET')
        return listAnswer(
          options,
          'deployments',
          [...all.values()].map((each) => shown(each, 'listed')),
        );
      if (method !== 'POST') return undefined;
      try {
        const sdl = jsonOf(request)?.['sdl'];
        const deployment = create(typeof sdl === 'string' ? sdl : '', request.wallet);
        return oneAnswer(options, 201, 'deployment', shown(deployment));
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
        ? oneAnswer(options, 200, 'deployment', shown(deployment))
        : undefined;
    }
    return method === 'POST' ? act(deployment, action) : undefined;
  };

  return { routes, all, create };
}

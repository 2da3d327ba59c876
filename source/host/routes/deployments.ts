import type { FastifyInstance } from 'fastify';
import type { DeploymentRecord, Deployments } from '../deployments.ts';
import { evictOldest } from '../make-room.ts';
import { parseJsonBody, readTextField } from '../server/body.ts';
import type { HostService } from '../service.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { operationRoute, jsonContentType } from './endpoint.ts';

interface IdRoute {
  Params: { id: string };
}

/** Adds the deployment operations (contract, part 4, "Deployments"). */
export function addDeploymentRoutes(api: FastifyInstance, service: HostService): void {
  const { deployments, supervisor } = service;
  const cache = new DeploymentJsonCache(deployments, supervisor);

  api.route({
    ...operationRoute('listDeployments'),
    handler: (request, reply) => {
      reply.type(jsonContentType).send(cache.list(request.wallet));
    },
  });

  api.route({
    ...operationRoute('createDeployment'),
    handler: async (request, reply) => {
      const sdl = readTextField(parseJsonBody(request), 'sdl');
      const deployment = await supervisor.create(request.wallet, sdl);
      return await reply.code(201).send({ success: true, deployment });
    },
  });

  api.route<IdRoute>({
    ...operationRoute('getDeployment'),
    handler: (request, reply) => {
      const text = cache.deployment(deployments.get(request.wallet, request.params.id));
      reply.type(jsonContentType).send(`{"success":true,"deployment":${text}}`);
    },
  });

  api.route<IdRoute>({
    ...operationRoute('closeDeployment'),
    handler: async (request) => ({
      success: true,
      deployment: supervisor.close(request.wallet, request.params.id),
    }),
  });

  api.route<IdRoute>({
    ...operationRoute('restartDeployment'),
    handler: async (request) => ({
      success: true,
      deployment: await supervisor.restart(request.wallet, request.params.id),
    }),
  });
}

interface CachedJson {
  /** Change count of the deployment or the wallet when `text` was written. */
  readonly changes: number;
  readonly text: string;
}

/** Maximum of cached lists, one per wallet; the oldest is evicted first. */
const maxCachedLists = 64;

/**
 * Caches deployments as JSON until they change, since every open console requests the list every
 * few seconds.
 */
class DeploymentJsonCache {
  readonly #deployments: Deployments;
  readonly #supervisor: Supervisor;
  readonly #byId = new Map<string, CachedJson>();
  readonly #lists = new Map<string, CachedJson>();

  constructor(deployments: Deployments, supervisor: Supervisor) {
    this.#deployments = deployments;
    this.#supervisor = supervisor;
  }

  /** Returns a deployment as JSON. */
  deployment(record: DeploymentRecord): string {
    const changes = this.#deployments.changes.deploymentCount(record.id);
    const cached = this.#byId.get(record.id);
    if (cached?.changes === changes) return cached.text;
    const text = JSON.stringify(this.#supervisor.status(record));
    this.#byId.set(record.id, { changes, text });
    return text;
  }

  /** Returns the response of "list deployments" for a wallet, newest first. */
  list(owner: string): string {
    const changes = this.#deployments.changes.ownerCount(owner);
    const cached = this.#lists.get(owner);
    if (cached?.changes === changes) return cached.text;
    const all = this.#deployments.list(owner).map((record) => this.deployment(record));
    // join() makes a flat string; a string from + or a template is flattened at each send.
    const text = ['{"success":true,"deployments":[', all.join(), ']}'].join('');
    this.#lists.delete(owner);
    evictOldest(this.#lists, maxCachedLists);
    this.#lists.set(owner, { changes, text });
    return text;
  }
}

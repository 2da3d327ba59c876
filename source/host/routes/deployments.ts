import type { FastifyInstance } from 'fastify';
import { jsonObject, textField } from '../server/body.ts';
import type { HostService } from '../service.ts';
import { DeploymentTexts } from './deployment-text.ts';
import { endpoint, json } from './endpoint.ts';

interface IdRoute {
  Params: { id: string };
}

/** Contract, part 4, "Deployments". */
export function addDeploymentRoutes(api: FastifyInstance, service: HostService): void {
  const { deployments, supervisor } = service;
  const texts = new DeploymentTexts(deployments, supervisor);

  api.route({
    ...endpoint('listDeployments'),
    handler: (request, reply) => {
      reply.type(json).send(texts.list(request.wallet));
    },
  });

  api.route({
    ...endpoint('createDeployment'),
    handler: async (request, reply) => {
      const sdl = textField(jsonObject(request), 'sdl');
      const deployment = await supervisor.create(request.wallet, sdl);
      return await reply.code(201).send({ success: true, deployment });
    },
  });

  api.route<IdRoute>({
    ...endpoint('getDeployment'),
    handler: (request, reply) => {
      const text = texts.of(deployments.get(request.wallet, request.params.id));
      reply.type(json).send(`{"success":true,"deployment":${text}}`);
    },
  });

  api.route<IdRoute>({
    ...endpoint('closeDeployment'),
    handler: async (request) => ({
      success: true,
      deployment: supervisor.close(request.wallet, request.params.id),
    }),
  });

  api.route<IdRoute>({
    ...endpoint('restartDeployment'),
    handler: async (request) => ({
      success: true,
      deployment: await supervisor.restart(request.wallet, request.params.id),
    }),
  });
}

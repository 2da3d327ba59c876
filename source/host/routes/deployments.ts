import type { FastifyInstance } from 'fastify';
import { deploymentStates, maxListedDeployments } from '../../contract/deployments.ts';
import { parseJsonBody, readTextField } from '../server/body.ts';
import type { HostService } from '../service.ts';
import { DeploymentAnswers } from './deployment-answers.ts';
import {
  jsonContentType,
  operationRoute,
  type Query,
  readWholeNumber,
  readWord,
} from './endpoint.ts';

interface ListRoute {
  Querystring: Query;
}

interface IdRoute {
  Params: { id: string };
}

/** Adds the deployment operations (contract, part 4, "Deployments"). */
export function addDeploymentRoutes(api: FastifyInstance, service: HostService): void {
  const { deployments, supervisor } = service;
  const answers = new DeploymentAnswers(deployments, supervisor);

  api.route<ListRoute>({
    ...operationRoute('listDeployments'),
    handler: ({ wallet, query }, reply) => {
      const page = {
        state: readWord(query, 'state', deploymentStates),
        limit: readWholeNumber(query, 'limit', [1, maxListedDeployments]),
        offset: readWholeNumber(query, 'offset', [0, Number.MAX_SAFE_INTEGER]) ?? 0,
      };
      reply.type(jsonContentType).send(answers.list(wallet, page));
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
    handler: ({ wallet, params }, reply) => {
      reply.type(jsonContentType).send(answers.get(deployments.get(wallet, params.id)));
    },
  });

  api.route<IdRoute>({
    ...operationRoute('closeDeployment'),
    handler: async (request) => ({
      success: true,
      deployment: await supervisor.close(request.wallet, request.params.id),
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

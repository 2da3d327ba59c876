import type { FastifyInstance } from 'fastify';
import { parseExactJsonBody } from '../server/body.ts';
import type { HostService } from '../service.ts';
import { operationRoute } from './endpoint.ts';

/** Adds the grant operations (contract, part 4, "Spend grants"). */
export function addGrantRoutes(api: FastifyInstance, { grants, space }: HostService): void {
  api.route({
    ...operationRoute('createGrant'),
    handler: async (request, reply) => {
      space.assertFree();
      const grant = grants.create(request.wallet, parseExactJsonBody(request));
      return await reply.code(201).send({ success: true, grant });
    },
  });

  api.route({
    ...operationRoute('listGrants'),
    handler: async (request) => ({ success: true, grants: grants.list(request.wallet) }),
  });

  api.route<{ Params: { id: string } }>({
    ...operationRoute('revokeGrant'),
    handler: async (request) => ({
      success: true,
      grant: grants.revoke(request.wallet, request.params.id),
    }),
  });
}

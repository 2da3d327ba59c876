import type { FastifyInstance } from 'fastify';
import { createOpenApiDocument, openApiPath } from '../../contract/openapi/document.ts';

/** Adds the OpenAPI document of the host, which contains no secrets and needs no token. */
export function addOpenApiRoute(app: FastifyInstance, version: string): void {
  app.route({
    method: 'GET',
    url: openApiPath,
    handler: async () => createOpenApiDocument(version),
  });
}

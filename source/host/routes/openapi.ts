import type { FastifyInstance } from 'fastify';
import { openApiDocument, openApiPath } from '../../contract/openapi/document.ts';

/** What the host can be asked, for programs. It tells nothing secret and takes no token. */
export function addOpenApiRoute(app: FastifyInstance, version: string): void {
  app.route({
    method: 'GET',
    url: openApiPath,
    handler: async () => openApiDocument(version),
  });
}

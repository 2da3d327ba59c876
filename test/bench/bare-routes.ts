/**
 * Bare Fastify routes in a process of their own: `bare-routes.ts FILE`, where FILE is a JSON list of
 * {@link BareRoute}. Prints their base URL.
 */
import { readFile } from 'node:fs/promises';
import Fastify from 'fastify';

/** A route that answers the same each time. */
export interface BareRoute {
  readonly method: 'GET' | 'PUT';
  readonly path: string;
  readonly body: string;
}

const app = Fastify();
const routes = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')) as readonly BareRoute[];
for (const { method, path, body } of routes) {
  app.route({
    method,
    url: path,
    handler: async (_request, reply) =>
      await reply.type('application/json; charset=utf-8').send(body),
  });
}
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);

import type { FastifyReply, FastifyRequest } from 'fastify';
import { openApiPath } from '../../contract/openapi/document.ts';
import { logStreamPath, operations } from '../../contract/routes.ts';
import { notFound, Refusal } from '../refusal.ts';

const routes = [
  ...Object.values(operations),
  { method: 'GET', path: logStreamPath },
  { method: 'GET', path: openApiPath },
].map(({ method, path }) => ({
  method,
  pattern: new RegExp(
    `^${path.replaceAll('.', String.raw`\.`).replace(':path', '.+').replaceAll(/:\w+/g, '[^/]+')}$`,
    's',
  ),
}));

/**
 * Answers requests without a route: 405 for a path that supports other methods, else 404. OPTIONS
 * lists the methods without CORS headers, since no page of another site may send requests. HEAD is
 * not a method of the contract and is refused like any other.
 */
export async function handleUnrouted(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const methods = methodsOf(request.url);
  if (methods.length === 0) throw notFound('such operation');
  reply.header('allow', [...methods, 'OPTIONS'].join(', '));
  if (request.method !== 'OPTIONS') {
    throw new Refusal(405, 'method-not-allowed', `Method not allowed. Use ${methods.join(', ')}.`);
  }
  await reply.code(204).send();
}

/** Throws a 404 for an empty identifier, which the router accepts after a trailing slash. */
export function assertSegments({ params }: FastifyRequest): void {
  const { id, name } = params as { readonly id?: string; readonly name?: string };
  if (id === '' || name === '') throw notFound('such operation; its path has an empty segment');
}

/** Returns the methods that a URL's path supports, none for an unknown path. */
function methodsOf(url: string): readonly string[] {
  const [raw = ''] = url.split('?');
  let path: string;
  try {
    // Keeps %2F encoded, like the router.
    path = decodeURI(raw);
  } catch {
    return [];
  }
  return [...new Set(routes.flatMap(({ method, pattern }) => (pattern.test(path) ? method : [])))];
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import { openApiPath } from '../../contract/openapi/document.ts';
import { logStreamPath, operations } from '../../contract/routes.ts';
import { notFound, Refusal } from '../refusal.ts';

const known = [
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
 * Answers what no route takes: 405 where the path is known with other methods, else 404. OPTIONS is
 * answered with the methods alone: no page of another site may send any of them. HEAD is none of
 * the contract's methods and is refused like any other.
 */
export async function answerUnrouted(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const methods = methodsOf(request.url);
  if (methods.length === 0) throw notFound('such operation');
  reply.header('allow', [...methods, 'OPTIONS'].join(', '));
  if (request.method !== 'OPTIONS') {
    throw new Refusal(405, 'method-not-allowed', `Here it takes ${methods.join(', ')}.`);
  }
  await reply.code(204).send();
}

/** The methods of a URL's path, none for one that is not known. */
function methodsOf(url: string): readonly string[] {
  const [raw = ''] = url.split('?');
  let path: string;
  try {
    // Leaves %2F as it is, like the router.
    path = decodeURI(raw);
  } catch {
    return [];
  }
  return [...new Set(known.flatMap(({ method, pattern }) => (pattern.test(path) ? method : [])))];
}

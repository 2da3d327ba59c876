import type { FastifyError, FastifyReply } from 'fastify';
import { isDiskFull, isWriteFailure } from '../disk-space.ts';
import {
  errorEnvelope,
  Refusal,
  storageFull,
  tooLarge,
  tooManyParts,
  badRequest,
  unrecorded,
} from '../refusal.ts';
import { operationRoute } from '../routes/endpoint.ts';
import type { HostService } from '../service.ts';

/** Sends an error response in the error envelope, whatever was thrown. */
export async function sendError(
  error: FastifyError | Refusal,
  reply: FastifyReply,
  service: HostService,
): Promise<void> {
  const refusal = isWriteFailure(error) ? diskRefusal(error, reply) : toRefusal(error);
  if (refusal.status === 500 || (isWriteFailure(error) && !isDiskFull(error))) {
    service.onFailure(error);
  }
  if (refusal.retryAfter !== undefined) reply.header('retry-after', `${refusal.retryAfter}`);
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer');
  await reply.code(refusal.status).send(errorEnvelope(refusal));
}

/** Routes that end something or free space; no state of the disk refuses them. */
const neverRefused = new Set(
  (['closeDeployment', 'restartDeployment', 'deleteFile'] as const)
    .map((operation) => operationRoute(operation))
    .map(({ method, url }) => `${method} ${url}`),
);

function diskRefusal(error: unknown, { request }: FastifyReply): Refusal {
  const { method, url = '' } = request.routeOptions;
  if (neverRefused.has(`${String(method)} ${url}`)) return unrecorded();
  return storageFull(
    isDiskFull(error)
      ? 'The disk of this host is full.'
      : "The disk of this host is full or can't be written.",
  );
}

/** Converts errors of libraries and of the system to refusals with our own messages. */
function toRefusal(error: FastifyError | Refusal): Refusal {
  if (error instanceof Refusal) return error;
  const { code, statusCode = 500 } = error;
  if (code === 'ENAMETOOLONG') return new Refusal(422, 'invalid', 'The path is too long.');
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge('A file of the upload is too large.');
  if (code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT') return tooManyParts();
  if (statusCode === 413) return tooLarge('The body of the request is too large.');
  if (statusCode >= 400 && statusCode < 500) return badRequest('The request cannot be read.');
  return new Refusal(500, 'internal', "Internal error. See the host's output.");
}

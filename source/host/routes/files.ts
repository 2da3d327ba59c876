import { isUtf8 } from 'node:buffer';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { uploadField } from '../../contract/routes.ts';
import { jsonObject, textField } from '../server/body.ts';
import type { Deployments } from '../deployments.ts';
import type { ServiceKey } from '../files/files.ts';
import type { OpenTreeFile } from '../files/opened-file.ts';
import { receiveUpload } from '../files/upload.ts';
import { listAnswer } from './file-list.ts';
import { notFound, tooLarge } from '../refusal.ts';
import type { HostService } from '../service.ts';
import { endpoint, json } from './endpoint.ts';

interface ServiceRoute {
  Params: { id: string; name: string };
}

interface FileRoute {
  Params: { id: string; name: string; '*': string };
}

/** The content may be escaped in JSON, at worst each byte as a `\u0000`. */
const worstEscape = 6;

/** Contract, part 4, "Files". All of them work on the staging tree. */
export async function addFileRoutes(api: FastifyInstance, service: HostService): Promise<void> {
  // In a scope of its own, as what reads uploads watches every request that it is told of.
  await api.register(async (uploads) => {
    await uploads.register(multipart);
    addUploadRoute(uploads, service);
  });
  addReadingRoutes(api, service);
  addWritingRoutes(api, service);
}

function addUploadRoute(
  uploads: FastifyInstance,
  { deployments, files, limits }: HostService,
): void {
  uploads.route<ServiceRoute>({
    ...endpoint('uploadFiles'),
    handler: async (request) => {
      const key = openKeyOf(deployments, request);
      const records = await files.receive(key, (folder) =>
        receiveUpload(request, { folder, field: uploadField, limits }),
      );
      return { success: true, files: records };
    },
  });
}

function addReadingRoutes(api: FastifyInstance, { deployments, files, limits }: HostService): void {
  /** The answer of "get file content", as JSON. */
  const answer = async (key: ServiceKey, file: string): Promise<string> => {
    const opened = files.open(key, file);
    try {
      const { record } = opened;
      if (record.size > limits.jsonFileBytes) {
        throw tooLarge('Too large for JSON. Ask with Accept: application/octet-stream.');
      }
      const content = await opened.content(encode);
      const text = JSON.stringify({ success: true, file: { ...record, ...content } });
      files.keep(key, opened, text);
      return text;
    } finally {
      opened.close();
    }
  };

  api.route<ServiceRoute>({
    ...endpoint('listFiles'),
    handler: async (request, reply) => {
      const listed = await listAnswer(files.list(keyOf(deployments, request)));
      return await reply.type(json).send(listed);
    },
  });

  api.route<FileRoute>({
    ...endpoint('getFile'),
    handler: (request, reply) => {
      const key = keyOf(deployments, request);
      const file = request.params['*'];
      if (request.headers.accept?.includes('application/octet-stream') === true) {
        return sendRaw(files.open(key, file), reply);
      }
      reply.type(json);
      const known = files.known(key, file);
      if (known === undefined) return answer(key, file);
      // Sent at once, as a promise would cost every request some microseconds.
      reply.send(known);
      return undefined;
    },
  });
}

function addWritingRoutes(api: FastifyInstance, { deployments, files, limits }: HostService): void {
  api.route<FileRoute>({
    ...endpoint('updateFile'),
    bodyLimit: limits.updateBytes * worstEscape + limits.bodyBytes,
    handler: async (request) => {
      const key = openKeyOf(deployments, request);
      const content = textField(jsonObject(request), 'content');
      if (Buffer.byteLength(content) > limits.updateBytes) {
        throw tooLarge(`The content is larger than ${limits.updateBytes} bytes. Upload the file.`);
      }
      return { success: true, file: await files.write(key, request.params['*'], content) };
    },
  });

  api.route<ServiceRoute>({
    ...endpoint('renameFile'),
    handler: async (request) => {
      const key = openKeyOf(deployments, request);
      const body = jsonObject(request);
      const oldPath = textField(body, 'oldPath');
      const newPath = textField(body, 'newPath');
      return { success: true, file: await files.rename(key, oldPath, newPath) };
    },
  });

  api.route<FileRoute>({
    ...endpoint('deleteFile'),
    handler: async (request) => {
      await files.delete(openKeyOf(deployments, request), request.params['*']);
      return { success: true };
    },
  });
}

/** The service of a deployment of the caller's. */
function keyOf(deployments: Deployments, request: FastifyRequest<ServiceRoute>): ServiceKey {
  const { id, name } = request.params;
  const record = deployments.get(request.wallet, id);
  if (record.services.every((each) => each.name !== name)) throw notFound(`service ${name}`);
  return { deployment: id, service: name };
}

/** The same, for writing. */
function openKeyOf(deployments: Deployments, request: FastifyRequest<ServiceRoute>): ServiceKey {
  const key = keyOf(deployments, request);
  deployments.assertOpen(key.deployment);
  return key;
}

/** Answers with the bytes that a file had when it was opened. */
async function sendRaw(opened: OpenTreeFile, reply: FastifyReply): Promise<FastifyReply> {
  const { size } = opened.record;
  reply.type('application/octet-stream').header('content-length', size);
  if (size === 0) {
    opened.close();
    return await reply.send('');
  }
  const stream = opened.stream();
  stream.once('end', () => {
    // Someone has shortened the file: what was promised cannot be sent any more.
    if (stream.bytesRead < size) reply.raw.destroy();
  });
  return await reply.send(stream);
}

/** Text as text, when it is UTF-8 to the last byte; else base64. */
function encode(bytes: Buffer): { readonly content: string; readonly encoding: string } {
  return isUtf8(bytes)
    ? { content: bytes.toString('utf8'), encoding: 'utf-8' }
    : { content: bytes.toString('base64'), encoding: 'base64' };
}

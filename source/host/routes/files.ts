import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { uploadField } from '../../contract/routes.ts';
import { jsonObject, textField } from '../body.ts';
import type { ServiceKey } from '../files/files.ts';
import { receiveUpload } from '../files/upload.ts';
import { conflict, notFound, tooLarge } from '../refusal.ts';
import type { Service } from '../service.ts';
import { endpoint } from './endpoint.ts';

interface ServiceRoute {
  Params: { id: string; name: string };
}

interface FileRoute {
  Params: { id: string; name: string; '*': string };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The content may be escaped in JSON, at worst each byte as a `\u0000`. */
const worstEscape = 6;

/** Contract, part 4, "Files". All of them work on the staging tree. */
export function addFileRoutes(api: FastifyInstance, service: Service): void {
  const { deployments, files, limits } = service;

  /** The service of a deployment of the caller's. */
  const keyOf = (request: FastifyRequest<ServiceRoute>): ServiceKey => {
    const { id, name } = request.params;
    const record = deployments.get(request.wallet, id);
    if (record.services.every((each) => each.name !== name)) throw notFound(`service ${name}`);
    return { deployment: id, service: name };
  };

  /** The same, for writing. */
  const openKeyOf = (request: FastifyRequest<ServiceRoute>): ServiceKey => {
    const key = keyOf(request);
    if (deployments.read(key.deployment).phase === 'closed') {
      throw conflict('This deployment is closed; its files can only be read.');
    }
    return key;
  };

  api.route<ServiceRoute>({
    ...endpoint('uploadFiles'),
    handler: async (request) => {
      const key = openKeyOf(request);
      const records = await files.receive(key, (folder) =>
        receiveUpload(request, { folder, field: uploadField, limits }),
      );
      return { success: true, files: records };
    },
  });

  api.route<ServiceRoute>({
    ...endpoint('listFiles'),
    handler: async (request) => ({ success: true, files: await files.list(keyOf(request)) }),
  });

  api.route<FileRoute>({
    ...endpoint('getFile'),
    handler: async (request, reply) => {
      const { handle, record } = await files.open(keyOf(request), request.params['*']);
      if (request.headers.accept?.includes('application/octet-stream') === true) {
        return await reply.type('application/octet-stream').send(readRaw(handle, record.size));
      }
      try {
        if (record.size > limits.jsonFileBytes) {
          throw tooLarge('Too large for JSON. Ask with Accept: application/octet-stream.');
        }
        return { success: true, file: { ...record, ...encode(await handle.readFile()) } };
      } finally {
        await handle.close();
      }
    },
  });

  api.route<FileRoute>({
    ...endpoint('updateFile'),
    bodyLimit: limits.updateBytes * worstEscape + limits.bodyBytes,
    handler: async (request) => {
      const key = openKeyOf(request);
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
      const key = openKeyOf(request);
      const body = jsonObject(request);
      const oldPath = textField(body, 'oldPath');
      const newPath = textField(body, 'newPath');
      return { success: true, file: await files.rename(key, oldPath, newPath) };
    },
  });

  api.route<FileRoute>({
    ...endpoint('deleteFile'),
    handler: async (request) => {
      await files.delete(openKeyOf(request), request.params['*']);
      return { success: true };
    },
  });
}

/** The bytes that a file had when it was opened; closes it at the end. */
function readRaw(handle: FileHandle, size: number): Readable {
  // createReadStream cannot be told to read nothing.
  if (size > 0) return handle.createReadStream({ end: size - 1 });
  void handle.close();
  return Readable.from([]);
}

/** Text as text, when it is UTF-8 to the last byte; else base64. */
function encode(bytes: Buffer): { readonly content: string; readonly encoding: string } {
  try {
    return { content: utf8.decode(bytes), encoding: 'utf-8' };
  } catch {
    return { content: bytes.toString('base64'), encoding: 'base64' };
  }
}

import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { uploadField } from '../../contract/routes.ts';
import { parseJsonBody, readTextField } from '../server/body.ts';
import { assertKept } from '../closed-deployments.ts';
import type { DeploymentRecord } from '../deployment-record.ts';
import type { Deployments } from '../deployments.ts';
import type { ServiceKey } from '../files/files.ts';
import type { OpenTreeFile } from '../files/opened-file.ts';
import { receiveUpload } from '../files/upload.ts';
import { notFound, tooLarge } from '../refusal.ts';
import type { HostService } from '../service.ts';
import { operationRoute, jsonContentType } from './endpoint.ts';
import type { StagedFile } from '../files/staged-file.ts';

interface ServiceRoute {
  Params: { id: string; name: string };
}

interface FileRoute {
  Params: { id: string; name: string; '*': string };
}

/** Maximum growth of content by JSON escapes, which turn one byte into at most `\u0000`. */
const maxEscapeFactor = 6;

/** Adds the file operations (contract, part 4, "Files"), all of which use the staged files. */
export async function addFileRoutes(api: FastifyInstance, service: HostService): Promise<void> {
  // Register in a separate scope, since the multipart plugin adds hooks to every request in scope.
  await api.register(async (uploads) => {
    await uploads.register(multipart);
    addUploadRoute(uploads, service);
  });
  addReadingRoutes(api, service);
  addWritingRoutes(api, service);
}

function addUploadRoute(
  uploads: FastifyInstance,
  { deployments, files, limits, space }: HostService,
): void {
  uploads.route<ServiceRoute>({
    ...operationRoute('uploadFiles'),
    handler: async (request) => {
      const key = openKeyOf(deployments, request);
      space.assertFree(Number(request.headers['content-length'] ?? 0));
      const records = await files.receive(key, (folder) =>
        receiveUpload(request, { folder, field: uploadField, limits }),
      );
      return { success: true, files: records };
    },
  });
}

function addReadingRoutes(
  api: FastifyInstance,
  { deployments, files, limits, answerLimiter }: HostService,
): void {
  /** Reads a file as the JSON response of "get file content", and caches the response. */
  const readJson = async (wallet: string, key: ServiceKey, file: string): Promise<string> => {
    const opened = files.open(key, file);
    try {
      const { record } = opened;
      if (record.size > limits.maxJsonFileBytes) {
        throw tooLarge('Too large for JSON. Request it with Accept: application/octet-stream.');
      }
      const write = async () => {
        const content = await opened.readContent(encode);
        return JSON.stringify({ success: true, file: { ...record, ...content } });
      };
      const text = await (opened.isSmall ? write() : answerLimiter.prepare(wallet, write));
      files.cacheText(key, opened, text);
      return text;
    } finally {
      opened.close();
    }
  };

  api.route<ServiceRoute>({
    ...operationRoute('listFiles'),
    handler: async (request, reply) => {
      const response = await encodeFileList(files.list(keyOf(deployments, request)));
      return await reply.type(jsonContentType).send(response);
    },
  });

  api.route<FileRoute>({
    ...operationRoute('getFile'),
    handler: (request, reply) => {
      const key = keyOf(deployments, request);
      const file = request.params['*'];
      if (request.headers.accept?.includes('application/octet-stream') === true) {
        return sendRaw(files.open(key, file), reply);
      }
      reply.type(jsonContentType);
      const cached = files.cachedText(key, file);
      if (cached === undefined) return readJson(request.wallet, key, file);
      // Send synchronously: a promise would cost every request some microseconds.
      reply.send(cached);
      return undefined;
    },
  });
}

function addWritingRoutes(
  api: FastifyInstance,
  { deployments, files, limits, space }: HostService,
): void {
  api.route<FileRoute>({
    ...operationRoute('updateFile'),
    bodyLimit: limits.maxUpdateBytes * maxEscapeFactor + limits.maxBodyBytes,
    handler: async (request) => {
      const key = openKeyOf(deployments, request);
      const content = readTextField(parseJsonBody(request), 'content');
      if (Buffer.byteLength(content) > limits.maxUpdateBytes) {
        throw tooLarge(
          `The content is larger than ${limits.maxUpdateBytes} bytes. Upload the file instead.`,
        );
      }
      space.assertFree(Buffer.byteLength(content));
      return { success: true, file: await files.write(key, request.params['*'], content) };
    },
  });

  api.route<ServiceRoute>({
    ...operationRoute('renameFile'),
    handler: async (request) => {
      const key = openKeyOf(deployments, request);
      const body = parseJsonBody(request);
      const oldPath = readTextField(body, 'oldPath');
      const newPath = readTextField(body, 'newPath');
      return { success: true, file: await files.rename(key, oldPath, newPath) };
    },
  });

  api.route<FileRoute>({
    ...operationRoute('deleteFile'),
    handler: async (request) => {
      await files.delete(openKeyOf(deployments, request), request.params['*']);
      return { success: true };
    },
  });
}

/**
 * Returns the key of a service of the caller's, for reading. Throws a 404 when it does not exist, and
 * a 410 when its files have been removed.
 */
function keyOf(deployments: Deployments, request: FastifyRequest<ServiceRoute>): ServiceKey {
  return checkedKey(deployments, request, assertKept);
}

function checkedKey(
  deployments: Deployments,
  request: FastifyRequest<ServiceRoute>,
  check: (record: DeploymentRecord) => void,
): ServiceKey {
  const { id, name } = request.params;
  const record = deployments.get(request.wallet, id);
  const hasService = record.services.some((service) => service.name === name);
  if (!hasService) throw notFound(`service ${name}`);
  check(record);
  return { deployment: id, service: name };
}

/** Like {@link keyOf}, for writing: throws a 409 when the deployment is closed. */
function openKeyOf(deployments: Deployments, request: FastifyRequest<ServiceRoute>): ServiceKey {
  return checkedKey(deployments, request, ({ id }) => {
    deployments.assertOpen(id);
  });
}

/** Sends the bytes of an open file, up to its size when it was opened. */
async function sendRaw(opened: OpenTreeFile, reply: FastifyReply): Promise<FastifyReply> {
  reply.type('application/octet-stream');
  if (opened.isSmall) {
    return await reply.send(await readSmall(opened));
  }
  const { size } = opened.record;
  reply.header('content-length', size);
  const stream = opened.stream();
  stream.once('end', () => {
    // The file was truncated meanwhile, so the announced length can't be reached.
    if (stream.bytesRead < size) reply.raw.destroy();
  });
  return await reply.send(stream);
}

/** Reads the bytes of a small file, and closes it. */
function readSmall(opened: OpenTreeFile): Promise<Buffer> | Buffer {
  try {
    return opened.readContent((bytes) => Buffer.from(bytes));
  } finally {
    opened.close();
  }
}

/** Encodes content as text when it is valid UTF-8, else as base64. */
function encode(bytes: Buffer): { readonly content: string; readonly encoding: string } {
  return isUtf8(bytes)
    ? { content: bytes.toString('utf8'), encoding: 'utf-8' }
    : { content: bytes.toString('base64'), encoding: 'base64' };
}

/** Minimum length of a streamed chunk; a shorter response is sent as a whole. */
const chunkLength = 64 * 1024;

/**
 * Returns the response of "list files" as JSON text, or as a stream when it is long. Rejects on an
 * error before the first chunk is complete; a later error aborts the stream.
 */
async function encodeFileList(
  batches: AsyncGenerator<readonly StagedFile[]>,
): Promise<string | Readable> {
  const chunks = chunksOf(batches);
  const first = await chunks.next();
  const start = first.value ?? '';
  if (start.length < chunkLength) return start;
  const stream = Readable.from(join(start, chunks), { objectMode: false });
  // End the listing with the stream, to close the folders that it has open.
  stream.once('close', () => {
    void chunks.return(undefined);
  });
  return stream;
}

async function* join(start: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

async function* chunksOf(batches: AsyncGenerator<readonly StagedFile[]>): AsyncGenerator<string> {
  let chunk = '{"success":true,"files":[';
  let separator = '';
  for await (const batch of batches) {
    for (const record of batch) {
      chunk += separator + JSON.stringify(record);
      separator = ',';
    }
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  yield `${chunk}]}`;
}

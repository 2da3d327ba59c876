import {
  errorAnswer,
  type ForeignAnswer,
  type ForeignRequest,
  jsonOf,
  listAnswer,
  oneAnswer,
  type Routes,
} from './answers.ts';
import type { ForeignDeployment } from './deployments.ts';
import type { ForeignOptions } from './options.ts';

type Files = Map<string, Buffer>;

/** Returns the routes of the files of all deployments. */
export function foreignFiles(
  options: ForeignOptions,
  deployments: ReadonlyMap<string, ForeignDeployment>,
): Routes {
  return async (request) => {
    const match = /^\/api\/v1\/deployments\/([^/]+)\/services\/([^/]+)\/files(?:\/(.*))?$/.exec(
      request.path,
    );
    if (match === null) return undefined;
    const [, id = '', name = '', rest] = match;
    const files = deployments.get(decodeURIComponent(id))?.files.get(decodeURIComponent(name));
    if (files === undefined) return errorAnswer(options, 404, 'no such service');
    if (rest === undefined) {
      if (request.method === 'GET') return list(options, files);
      return request.method === 'POST' ? upload(options, files, request) : undefined;
    }
    if (request.method === 'PATCH') {
      return rest === 'rename' ? rename(options, files, request) : undefined;
    }
    const path = pathIn(options, rest);
    return path === undefined ? undefined : one(options, files, request, path);
  };
}

/** Decodes a path in the supported form; undefined for the other form. */
function pathIn({ pathForm }: ForeignOptions, rest: string): string | undefined {
  if (pathForm === 'whole' && rest.includes('/')) return undefined;
  if (pathForm === 'segments' && /%2f/i.test(rest)) return undefined;
  return decodeURIComponent(rest);
}

function list(options: ForeignOptions, files: Files): ForeignAnswer {
  const paths = [...files.keys()].sort();
  if (options.files === 'paths') return listAnswer(options, 'files', paths);
  const records = paths.map((name) => ({
    name,
    size: files.get(name)?.length,
    mtime: new Date(options.filesAt ?? options.now()).toISOString(),
  }));
  if (options.files === 'records') return listAnswer(options, 'files', records);
  const folders = new Set(paths.flatMap((path) => foldersOf(path)));
  return listAnswer(options, 'files', [
    ...[...folders].sort().map((path) => ({ filePath: path, type: 'folder' })),
    ...records.map(({ name, size }) => ({ filePath: name, size, type: 'file' })),
  ]);
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

function one(
  options: ForeignOptions,
  files: Files,
  request: ForeignRequest,
  path: string,
): ForeignAnswer | undefined {
  const found = files.get(path);
  switch (request.method) {
    case 'GET':
      return found === undefined
        ? errorAnswer(options, 404, 'no such file')
        : content(options, path, found);
    case 'PUT': {
      const text = jsonOf(request)?.['content'];
      if (typeof text !== 'string') return errorAnswer(options, 422, 'content is missing');
      const bytes = Buffer.from(text);
      if (bytes.length > options.largestFile) return errorAnswer(options, 413, 'file too large');
      files.set(path, bytes);
      return { status: 204 };
    }
    case 'DELETE':
      if (!files.delete(path)) return errorAnswer(options, 404, 'no such file');
      return { status: 200, body: { deleted: true } };
    default:
      return undefined;
  }
}

function content(options: ForeignOptions, path: string, bytes: Buffer): ForeignAnswer {
  const text = bytes.toString();
  const encoded = { path, content: bytes.toString('base64'), encoding: 'base64' };
  const answers = {
    raw: { status: 200, body: bytes, headers: { 'content-type': 'application/octet-stream' } },
    envelope: oneAnswer(options, 200, 'file', { path, content: text }),
    'bare-envelope': { status: 200, body: { content: text } },
    base64: oneAnswer(options, 200, 'file', encoded),
  };
  return answers[options.content];
}

function rename(options: ForeignOptions, files: Files, request: ForeignRequest): ForeignAnswer {
  const { oldPath, newPath } = jsonOf(request) ?? {};
  if (typeof oldPath !== 'string' || typeof newPath !== 'string') {
    return errorAnswer(options, 422, 'oldPath and newPath are needed');
  }
  const bytes = files.get(oldPath);
  if (bytes === undefined) return errorAnswer(options, 404, 'no such file');
  if (files.has(newPath)) return errorAnswer(options, 409, 'the new path is taken');
  files.delete(oldPath);
  files.set(newPath, bytes);
  return { status: 200 };
}

async function upload(
  options: ForeignOptions,
  files: Files,
  { body, contentType }: ForeignRequest,
): Promise<ForeignAnswer> {
  const parts = await partsOf(body, contentType);
  if (parts === undefined) return errorAnswer(options, 422, 'no multipart body');
  if (parts.some(({ bytes }) => bytes.length > options.largestFile)) {
    return errorAnswer(options, 413, 'file too large');
  }
  if (parts.some(({ path }) => path.split('/').includes('..'))) {
    return errorAnswer(options, 422, 'path leaves the service');
  }
  for (const { path, bytes } of parts) files.set(path, bytes);
  return { status: 201, body: { uploaded: parts.length } };
}

interface Part {
  readonly path: string;
  readonly bytes: Buffer;
}

async function partsOf(body: Buffer, contentType: string): Promise<readonly Part[] | undefined> {
  try {
    const response = new Response(new Uint8Array(body), {
      headers: { 'content-type': contentType },
    });
    const form = await response.formData();
    const files = form.getAll('files').filter((value) => typeof value !== 'string');
    return await Promise.all(
      files.map(async (file) => ({
        path: file.name,
        bytes: Buffer.from(await file.arrayBuffer()),
      })),
    );
  } catch {
    return undefined;
  }
}

import { type OutputLine, outputText } from '../logs/run.ts';
import { LineSplitter } from '../logs/splitter.ts';
import { Deadline } from './deadline.ts';
import type { AuthConfig, CreateImageInfo } from './engine-api.ts';
import type { EngineClient } from './engine-client.ts';
import { EngineError } from './engine-error.ts';
import { arrayItems, objectFields } from './fields.ts';

/** Deadlines of a pull. An engine may report nothing during the download of a large layer. */
const pullSilenceMs = 15 * 60_000;
const pullTotalMs = 6 * 3_600_000;

/** Most bytes of progress of one pull; Docker sends about 10 MB for an image of 20 GB. */
const maxPullBytes = 64 * 2 ** 20;

/** Resolves when the engine has the image; rejects with a 404 when it hasn't (`ImageInspect`). */
export async function inspectImage(client: EngineClient, image: string): Promise<void> {
  await client.command('GET', `/images/${pathOf(image)}/json`);
}

/**
 * Pulls an image, and yields the steps of its progress (`ImageCreate`). An engine may report a
 * failure as a step, with status 200. A line that is not JSON yields a step without fields.
 */
export async function* pullImage(
  client: EngineClient,
  image: string,
  { auth, signal }: { readonly auth?: AuthConfig | undefined; readonly signal: AbortSignal },
): AsyncGenerator<CreateImageInfo> {
  const deadline = new Deadline(pullSilenceMs, pullTotalMs);
  try {
    const steps = await client.stream('POST', '/images/create', {
      query: { fromImage: image },
      headers: authHeader(auth),
      silenceMs: pullSilenceMs,
      signal: AbortSignal.any([deadline.signal, signal]),
    });
    const splitter = new LineSplitter();
    let bytes = 0;
    for await (const chunk of steps as AsyncIterable<Buffer>) {
      deadline.renew();
      bytes += chunk.length;
      if (bytes > maxPullBytes) throw new EngineError('the progress of the pull exceeds 64 MiB');
      for (const line of splitter.push(chunk)) yield parseStep(line);
    }
    for (const line of splitter.end()) yield parseStep(line);
  } finally {
    deadline.end();
  }
}

/** An image that an engine has. */
export interface LocalImage {
  /** Digest of its configuration, which changes with each of its layers. */
  readonly id: string;
  /** False for one whose containers need a command. */
  readonly hasCommand: boolean;
}

/** Resolves with an image that the engine has (`ImageInspect`). */
export async function readImage(client: EngineClient, image: string): Promise<LocalImage> {
  const { Id: id, Config } = objectFields(
    await client.request('GET', `/images/${pathOf(image)}/json`),
  );
  const { Entrypoint, Cmd } = objectFields(Config);
  if (typeof id !== 'string')
    throw new EngineError("the engine's answer to ImageInspect is not valid");
  return { id, hasCommand: [...arrayItems(Entrypoint), ...arrayItems(Cmd)].length > 0 };
}

/** Makes an image of a container's files (`ImageCommit`). */
export async function commitContainer(
  client: EngineClient,
  container: string,
  { repository, tag }: { readonly repository: string; readonly tag: string },
): Promise<void> {
  const query = { container, repo: repository, tag };
  await client.command('POST', '/commit', { query, silenceMs: pullSilenceMs });
}

/** Pushes an image to its registry, and resolves with its digest there (`ImagePush`). */
export async function pushImage(
  client: EngineClient,
  { repository, tag }: { readonly repository: string; readonly tag: string },
  auth?: AuthConfig,
): Promise<string> {
  const answer = await client.stream('POST', `/images/${pathOf(repository)}/push`, {
    query: { tag },
    // Engines refuse a push without the header.
    headers: authHeader(auth) ?? registryAuth({}),
    silenceMs: pullSilenceMs,
  });
  const splitter = new LineSplitter();
  let digest: unknown;
  let failure: unknown;
  const read = (line: OutputLine) => {
    const step = objectFields(parseJson(outputText(line)));
    digest = objectFields(step['aux'])['Digest'] ?? digest;
    failure = objectFields(step['errorDetail'])['message'] ?? step['error'] ?? failure;
  };
  for await (const chunk of answer as AsyncIterable<Buffer>) splitter.push(chunk).forEach(read);
  splitter.end().forEach(read);
  if (typeof failure === 'string') throw new EngineError(failure);
  if (typeof digest === 'string') return digest;
  throw new EngineError("the engine's answer to ImagePush is not valid");
}

/** Removes the name of an image, and the image unless something uses it (`ImageDelete`). */
export async function removeImage(client: EngineClient, image: string): Promise<void> {
  await client.command('DELETE', `/images/${pathOf(image)}`);
}

/** Returns the header with a login at a registry; undefined without one. */
export function authHeader(
  auth: AuthConfig | undefined,
): Readonly<Record<string, string>> | undefined {
  return auth === undefined ? undefined : registryAuth(auth);
}

function registryAuth(auth: Partial<AuthConfig>): Readonly<Record<string, string>> {
  return { 'X-Registry-Auth': Buffer.from(JSON.stringify(auth)).toString('base64url') };
}

function parseStep(line: OutputLine): CreateImageInfo {
  const { id, status, error, errorDetail, progressDetail } = objectFields(
    parseJson(outputText(line)),
  );
  const { message } = objectFields(errorDetail);
  const { current, total } = objectFields(progressDetail);
  return {
    id: textOf(id),
    status: textOf(status),
    error: textOf(error),
    errorDetail: { message: textOf(message) },
    progressDetail: { current: numberOf(current), total: numberOf(total) },
  };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Encodes an image's name for a path; its slashes stay. */
function pathOf(image: string): string {
  const segments = image.split('/');
  if (segments.some((segment) => ['', '.', '..'].includes(segment))) {
    throw new EngineError(`${image} is not an image name`, 400);
  }
  return segments.map(encodeURIComponent).join('/');
}

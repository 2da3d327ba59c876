import { LineSplitter } from '../logs/splitter.ts';
import { Deadline } from './deadline.ts';
import type { AuthConfig, CreateImageInfo } from './engine-api.ts';
import type { EngineClient } from './engine-client.ts';
import { EngineError } from './engine-error.ts';
import { engineFields } from './fields.ts';

/** An engine may tell nothing while a large layer comes. */
const pullSilenceMs = 15 * 60_000;
const pullTotalMs = 6 * 3_600_000;

/** Most bytes that an engine may tell of one pull: of 20 GB, Docker tells about 10 MB. */
const mostPullBytes = 64 * 2 ** 20;

/** Resolves when the engine has the image; rejects with a 404 where it has not (`ImageInspect`). */
export async function inspectImage(client: EngineClient, image: string): Promise<void> {
  await client.command('GET', `/images/${pathOf(image)}/json`);
}

/**
 * Pulls an image, and yields what the engine tells meanwhile (`ImageCreate`). An engine may tell of
 * a failure there, under a status of 200. Lines that no engine writes are skipped.
 */
export async function* pullImage(
  client: EngineClient,
  image: string,
  { auth, signal }: { readonly auth?: AuthConfig | undefined; readonly signal: AbortSignal },
): AsyncGenerator<CreateImageInfo> {
  const deadline = new Deadline(pullSilenceMs, pullTotalMs);
  const headers =
    auth === undefined
      ? undefined
      : { 'X-Registry-Auth': Buffer.from(JSON.stringify(auth)).toString('base64url') };
  try {
    const steps = await client.stream('POST', '/images/create', {
      query: { fromImage: image },
      headers,
      silenceMs: pullSilenceMs,
      signal: AbortSignal.any([deadline.signal, signal]),
    });
    const splitter = new LineSplitter();
    let bytes = 0;
    for await (const chunk of steps as AsyncIterable<Buffer>) {
      deadline.renew();
      bytes += chunk.length;
      if (bytes > mostPullBytes) throw new EngineError('the container engine told too much of it');
      for (const line of splitter.push(chunk)) yield stepOf(line);
    }
    for (const line of splitter.end()) yield stepOf(line);
  } finally {
    deadline.end();
  }
}

function stepOf(line: string): CreateImageInfo {
  const { id, status, error, errorDetail, progressDetail } = engineFields(parsed(line));
  const { message } = engineFields(errorDetail);
  const { current, total } = engineFields(progressDetail);
  return {
    id: textOf(id),
    status: textOf(status),
    error: textOf(error),
    errorDetail: { message: textOf(message) },
    progressDetail: { current: numberOf(current), total: numberOf(total) },
  };
}

function parsed(line: string): unknown {
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

/** The slashes of a name are those of the path; nothing else of it means anything there. */
function pathOf(image: string): string {
  const segments = image.split('/');
  if (segments.some((segment) => ['', '.', '..'].includes(segment))) {
    throw new EngineError(`${image} is not the name of an image`, 400);
  }
  return segments.map(encodeURIComponent).join('/');
}
